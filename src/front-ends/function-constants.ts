import { aliasPattern, RESPONSE_REMOVED } from './fields.ts'
import { REFUSED_PATH } from './refused.ts'
import type { Site } from './site.ts'

/** What a function that forwards by itself begins with. Field names are in lower case, as functions get them. */
export function renderConstants(
  points: readonly object[],
  requestRemoved: readonly string[],
  site: Site,
): string {
  const toLower = (names: readonly string[]) => JSON.stringify(names.map((name) => name.toLowerCase()))
  return `const points = [
${points.map((point) => `  ${JSON.stringify(point)},`).join('\n')}
]

// Never forwarded: fields about the previous hop, and a client's own fields of our names in any spelling.
const requestRemoved = ${toLower(requestRemoved)}
const forged = new RegExp(${JSON.stringify(aliasPattern(site))}, 'i')

// These would affect more of the site than this response.
const responseRemoved = ${toLower(RESPONSE_REMOVED)}

// Servers interpret these paths differently, so they are refused.
const refusedPath = new RegExp(${JSON.stringify(REFUSED_PATH)}, 'i')
${site.bodyBytes === undefined ? '' : `\n// Maximum size of a body that announces its length.\nconst bodyLimit = ${site.bodyBytes}\n`}`
}
