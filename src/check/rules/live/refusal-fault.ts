import type { LiveFact } from '../../read/live-fact.ts'
import type { OwnRefusal } from '../../read/own-refusal.ts'
import { type Diagnosis, withRemedy } from '../../remedy.ts'
import { fail, type Ruling } from '../../rule.ts'

/** The finding if continuation-point itself refused the request: by its reason, what is wrong and what to change. */
export function failRefusal(fact: LiveFact, refusal: OwnRefusal): Ruling {
  const { what, fix, remedy } = toDiagnosis(fact, refusal)
  const { status, reason, authority, scheme } = refusal
  const arrived = [
    ...(authority === undefined ? [] : [`Host: ${authority}`]),
    ...(scheme === undefined ? [] : [`scheme ${scheme}`]),
  ]
  const wholeFix = remedy === undefined ? fix : withRemedy(fix, fact, remedy)
  return fail(`continuation-point refuses the request: ${what}`, wholeFix, {
    sent: toSent(fact, reason),
    arrived: [...arrived, `answer ${status} ${reason}`],
    status,
    reason,
  })
}

/** The part of the request that the reason is about. */
function toSent({ point }: LiveFact, reason: string): string {
  if (reason === 'unknown-authority') return `Host: ${point.authority}`
  return reason.endsWith('-scheme') ? `scheme ${point.scheme}` : `GET ${point.path}`
}

function toDiagnosis({ point }: LiveFact, { status, reason, authority, scheme }: OwnRefusal): Diagnosis {
  const toPoints = `${point.url} to "points" of the config that serve runs with, and reload it`
  switch (reason) {
    case 'unknown-authority': {
      if (authority === point.authority) {
        return { what: 'its config has no point on this host', fix: `Add ${toPoints}` }
      }
      const what =
        authority === point.host
          ? `the front end drops the port of the Host, ${authority} arrives`
          : `the front end sends a different Host than the visitor's${authority === undefined ? '' : `, ${authority}`}`
      return { what, fix: "Pass the visitor's Host on to serve", remedy: (advice) => advice.keepHost }
    }
    case 'other-scheme':
      return {
        what: `it sees ${scheme ?? 'the other scheme'} as the scheme of the request, and has no point with that scheme on this host`,
        fix: `Tell serve the scheme that the visitor uses: ${point.scheme}`,
        remedy: (advice) => advice.sendScheme(point.scheme),
      }
    case 'ambiguous-scheme':
      return {
        what: "it can't tell whether the visitor uses http or https (no X-Forwarded-Proto from a trusted proxy)",
        fix: 'Tell serve the scheme that the visitor uses, and list the front end in listen.trustedProxies if it is on another machine',
        remedy: (advice) => advice.tellScheme,
      }
    case 'unknown-path':
      return {
        what: 'the host is right, but its config has no point on the path that arrives',
        fix: `Pass the path on unchanged, and make sure that serve has the point: add ${toPoints}`,
        remedy: (advice) => advice.keepPath,
      }
    case 'bad-forwarding':
      return {
        what: 'X-Forwarded-Proto, X-Forwarded-Host and Forwarded contradict each other',
        fix: 'Send X-Forwarded-Proto alone, and clear the others',
        remedy: (advice) => advice.clearForwarding(point.scheme),
      }
    default:
      return OWN[reason] ?? { what: `${status}, ${reason}`, fix: SEE_LOG }
  }
}

const SERVICE_DOWN =
  'Start the service, or correct "service.url" in the config of serve and let its machine reach the service'
const SEE_LOG = "Look the request up in the log of serve: the answer's X-Request-Id is its id there"
const CAPACITY =
  'Try again; if it keeps happening, give serve more memory (by default it bounds limits.concurrentRequests) or run more instances'

const OWN: Readonly<Record<string, Diagnosis>> = {
  loop: {
    what: 'the request came back to it a second time',
    fix: 'Set "service.url" to the service itself: it leads back to this host',
  },
  'body-taken': {
    what: 'something in the app read the body first',
    fix: 'Mount the points before every body parser: app.use(points) comes before express.json() and the like',
  },
  'upstream-refused': { what: 'the service refuses its connections (upstream-refused)', fix: SERVICE_DOWN },
  'upstream-unreachable': { what: "it can't reach the service (upstream-unreachable)", fix: SERVICE_DOWN },
  'upstream-reset': { what: 'the service closes its connections (upstream-reset)', fix: SERVICE_DOWN },
  'upstream-connect-timeout': {
    what: "it can't connect to the service in time (upstream-connect-timeout)",
    fix: SERVICE_DOWN,
  },
  'upstream-head-timeout': {
    what: 'the service does not answer it in time (upstream-head-timeout)',
    fix: 'Find out why the service is slow, or raise timeouts.headers in the config of serve',
  },
  'upstream-dns': {
    what: 'the name of the service does not resolve there (upstream-dns)',
    fix: 'Correct the host in "service.url" in the config of serve, or DNS on its machine',
  },
  'upstream-tls': {
    what: 'it does not trust the certificate of the service (upstream-tls)',
    fix: 'Correct "service.url", or put the authority of its certificate into "service.ca" in the config of serve',
  },
  'upstream-malformed': {
    what: "the service's answer isn't valid HTTP (upstream-malformed)",
    fix: 'Make sure that "service.url" in the config of serve has the scheme and port of the service',
  },
  overloaded: { what: 'too many requests are in flight', fix: CAPACITY },
  'hopeless-wait': {
    what: 'more requests wait for the service than it answers in time',
    fix: 'See why the service is slow, or raise limits.upstreamConnections in the config of serve',
  },
  'memory-short': {
    what: 'its memory is short',
    fix: 'Give serve more memory, or run more instances',
  },
  draining: { what: 'it is shutting down', fix: 'Start it again' },
  'head-too-large': {
    what: 'the head of the request is too large',
    fix: 'Raise "limits.headerBytes" in the config of serve',
  },
}
