import { parseConfig } from '../../../src/config/parse.ts'
import { renderProblems } from '../../../src/config/render-problems.ts'
import { findFrontEnd } from '../../../src/render/front-ends.ts'
import { type SiteRequest, toSite } from '../../../src/render/site.ts'

/** The text of a front end for a config as it would stand in a file, through the real parser. */
export function renderConfig(
  name: string,
  mode: SiteRequest['mode'],
  config: Record<string, unknown>,
  upstream = '127.0.0.1:8080',
): string {
  const frontEnd = findFrontEnd(name)
  if (frontEnd === undefined) throw new Error(`no front end ${name}`)
  const parsed = parseConfig(JSON.stringify(config), 'test.json')
  if ('problems' in parsed) throw new Error(renderProblems(parsed.problems))
  const made = toSite(parsed.config, { mode, upstream, nameServers: ['127.0.0.1'] })
  if ('problems' in made) throw new Error(renderProblems(made.problems))
  return frontEnd.render(made.site)
}
