/*
 * The fields that a front end touches. The lists say the same as what the proxy does itself; a front end needs them
 * spelled out, because it has no words for "whatever Connection names" or "any spelling".
 */

/** Taken off a request before it goes to the service: about the hop before us, or answered here. */
export const REQUEST_REMOVED: readonly string[] = [
  'Forwarded',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Port',
  'X-Forwarded-Server',
  'Keep-Alive',
  'Proxy-Connection',
  'Proxy-Authenticate',
  'Proxy-Authorization',
  'TE',
  'Trailer',
  'Upgrade',
]

/** Taken off a request that goes to `serve`, which believes them from a front end. */
export const ROUTE_REMOVED: readonly string[] = ['Forwarded', 'X-Forwarded-Port', 'X-Forwarded-Server']

/** Taken off an answer: they would take effect on the whole origin, which is the customer's. */
export const RESPONSE_REMOVED: readonly string[] = [
  'Strict-Transport-Security',
  'Alt-Svc',
  'Public-Key-Pins',
  'Public-Key-Pins-Report-Only',
  'Clear-Site-Data',
  'NEL',
  'Report-To',
  'Reporting-Endpoints',
  'Expect-CT',
]

/**
 * Spellings that CGI-style servers can't tell from the owned fields, for front ends that remove fields by name only:
 * the ones with an underscore. A front end that knows patterns uses `ALIAS_PATTERN`.
 */
export const UNDERSCORE_ALIASES: readonly string[] = [
  'X_Widget_Key',
  'X_Widget-Key',
  'X-Widget_Key',
  'X_Continuation_Origin',
  'X_Continuation-Origin',
  'X-Continuation_Origin',
]

/** Every spelling of a field that is ours, or about framing or forwarding, with another character for a hyphen. */
export const ALIAS_PATTERN =
  '^(x[^a-z0-9]widget[^a-z0-9]key|x[^a-z0-9]continuation[^a-z0-9]origin|x[^a-z0-9]forwarded[^a-z0-9-].*|x[^a-z0-9-]forwarded[^a-z0-9].*|content[^a-z0-9-]length|transfer[^a-z0-9-]encoding)$'
