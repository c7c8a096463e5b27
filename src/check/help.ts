/** Of `package.json`, without a slash at its end; the build puts it in. */
declare const HOMEPAGE: string | undefined

/** The section of our documents that has more than a rule's fix, below the homepage if there is one: `docs/troubleshooting.md#cache`. */
export function helpFor(ruleId: string): string | undefined {
  const anchor = ANCHORS.get(ruleId) ?? ANCHORS.get(ruleId.replace(/\/.*$/, ''))
  if (anchor === undefined) return undefined
  return `${typeof HOMEPAGE === 'string' ? `${HOMEPAGE}/` : ''}docs/troubleshooting.md#${anchor}`
}

/** The URL of that; without a homepage, of the file in this package. */
export function addressOf(ruleId: string): string | undefined {
  const help = helpFor(ruleId)
  return help && new URL(help, new URL('../../', import.meta.url)).href
}

/** By rule, or by group of rules. */
const ANCHORS: ReadonlyMap<string, string> = new Map([
  ['live/dns', 'no-connection'],
  ['live/connect', 'no-connection'],
  ['live/tls', 'certificate'],
  ['live/redirect', 'redirects'],
  ['live/forwarded', 'the-front-end-answers-instead'],
  ['live/origin', 'red-box-origin'],
  ['live/widget-key', 'red-box-widget-key'],
  ['live/allowed', 'red-box-allowed'],
  ['live/outside', 'too-much-is-forwarded'],
  ['live/methods', 'methods-and-paths'],
  ['live/set-cookie', 'changed-cookies'],
  ['live/header-size', '431'],
  ['live/response-size', '502'],
  ['live/body-size', '413'],
  ['live/errors', 'the-front-end-answers-instead'],
  ['live/cached', 'cache'],
  ['live/cors', 'cors'],
  ['account', 'red-box-allowed'],
  ['cookie', 'missing-cookies'],
  ['page', 'the-page'],
])
