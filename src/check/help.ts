/** The section of our documents that has more than a rule's fix: `docs/troubleshooting.md#cache`. */
export function helpFor(ruleId: string): string | undefined {
  const anchor = ANCHORS.get(ruleId) ?? ANCHORS.get(ruleId.replace(/\/.*$/, ''))
  return anchor === undefined ? undefined : `docs/troubleshooting.md#${anchor}`
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
