import type { ProbeResponse } from '../../../probe/probe.ts'
import { recogniseFrontEnd } from '../../read/front-end.ts'
import type { LiveFact } from '../../read/live-fact.ts'
import { FRONT_END_NAMES, type Remedy, withRemedy } from '../../remedy.ts'

/** The finding if the front end's status says why it does not forward; `undefined` for any other status. */
export function findStop(
  { status }: ProbeResponse,
  fact: LiveFact,
): Pick<Stop, 'message' | 'fix'> | undefined {
  const { path } = fact.point
  // Other front ends answer 503 if the next hop is gone; nginx answers 502 then.
  if (status === 503 && recogniseFrontEnd(fact) !== 'nginx') return undefined
  const stop = STOPS[status]?.(path)
  return stop && { message: stop.message, fix: withRemedy(stop.fix, stop.remedy, fact) }
}

/** A login, a ban, a rate limit or maintenance. */
interface Stop {
  readonly message: string
  readonly fix: string
  readonly remedy: Remedy
}

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
