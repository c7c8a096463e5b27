import type { ProbeReply } from '../../../probe/probe.ts'
import { recogniseFrontEnd } from '../../read/front-end.ts'
import type { LiveFact } from '../../read/live-fact.ts'
import { FRONT_END_NAMES, type Remedy } from '../../remedy.ts'

/** Why a request stops at the front end. */
export interface Stop {
  readonly message: string
  readonly fix: string
  readonly remedy: Remedy
}

/** Reads a status by which a front end says why it does not forward; `undefined` for any other answer. */
export function findStop(fact: LiveFact, reply: ProbeReply): Stop | undefined {
  if (reply.kind === 'none') return undefined
  const { status } = reply
  const frontEnd = recogniseFrontEnd(fact)
  // Other front ends answer 503 if the next hop is gone; nginx answers 502 then.
  if (![502, 503, 504].includes(status) || (status === 503 && frontEnd === 'nginx')) {
    return STOPS[status]?.(fact.point.path)
  }
  const name = frontEnd === undefined ? 'The front end' : FRONT_END_NAMES[frontEnd]
  return {
    message: `${name} answers ${status} itself: what it forwards to does not answer`,
    fix: 'Start what it forwards to (continuation-point serve, or the service), or correct its address',
    remedy: NEXT_HOP,
  }
}

/** A login, a ban, a rate limit or maintenance. */
const STOPS: Readonly<Record<number, (path: string) => Stop>> = {
  401: (path) => ({
    message: 'The front end asks for a login (401)',
    fix: `Open everything below ${path}: the widget can't log in`,
    remedy: toOpen(path),
  }),
  403: (path) => ({
    message: 'The front end forbids the request (403)',
    fix: `Allow everything below ${path}. If only this check is blocked, let the User-Agent continuation-point through`,
    remedy: toOpen(path),
  }),
  429: (path) => ({
    message: 'The front end refuses the request because of a rate limit (429)',
    fix: `Exempt ${path} from the rate limit, or raise it: a session starts with several requests at once`,
    remedy: NO_LIMIT,
  }),
  503: (path) => ({
    message: `${FRONT_END_NAMES.nginx} answers 503 itself: the site is in maintenance, or over a limit`,
    fix: `End it, or exempt ${path} from it`,
    remedy: NO_LIMIT,
  }),
}

function toOpen(path: string): Remedy {
  return {
    nginx: `location ^~ ${path} { auth_basic off; allow all; … }`,
    apache: `<Location ${path}> Require all granted </Location>`,
    caddy: `handle ${path}* before basicauth and respond`,
    haproxy: `add: unless { path_beg ${path} }`,
    mounted: 'mount the points before the login',
  }
}

const NO_LIMIT: Remedy = {
  nginx: 'no return 503 or 429, no limit_req or limit_conn',
  apache: 'no RewriteRule with R=503 or R=429',
  caddy: 'no respond 503, no rate_limit',
  haproxy: 'no http-request return or deny with 503 or 429',
  mounted: 'mount the points before the rate limiter',
}

const NEXT_HOP: Remedy = {
  nginx: 'see proxy_pass, and error_log at level error for the reason',
  apache: 'see ProxyPass, and ErrorLog for the reason',
  caddy: 'see reverse_proxy, and its log for the reason',
  haproxy: 'see the server line of the backend, and its log',
  mounted: 'see the proxy before the app',
}
