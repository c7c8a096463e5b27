import type { Fix } from '../../fix.ts'
import type { LiveFact } from '../../read/live-fact.ts'
import type { OwnRefusal } from '../../read/own-refusal.ts'
import { fail, type Ruling } from '../../rule.ts'

/** The finding if continuation-point itself refused the request: by its reason, what is wrong and what to change. */
export function failRefusal(fact: LiveFact, refusal: OwnRefusal): Ruling {
  const [what, fix] = diagnose(fact, refusal)
  const { status, reason, authority, scheme } = refusal
  const { point } = fact
  const part = reason.endsWith('-scheme') ? `scheme ${point.scheme}` : `GET ${point.path}`
  const sent = reason === 'unknown-authority' ? `Host: ${point.authority}` : part
  const arrived = [
    ...(authority === undefined ? [] : [`Host: ${authority}`]),
    ...(scheme === undefined ? [] : [`scheme ${scheme}`]),
  ]
  return fail(`continuation-point refuses the request: ${what}`, fix, {
    sent,
    arrived: [...arrived, `answer ${status} ${reason}`],
    status,
    reason,
  })
}

function diagnose({ point }: LiveFact, { status, reason, authority, scheme }: OwnRefusal): Diagnosis {
  const toPoints = `${point.url} to "points" of the config that serve runs with, and reload it`
  switch (reason) {
    case 'unknown-authority': {
      if (authority === point.authority) {
        return ['its config has no point on this host', { what: `Add ${toPoints}`, url: point.url }]
      }
      const what =
        authority === point.host
          ? `the front end drops the port of the Host, ${authority} arrives`
          : `the front end sends a different Host than the visitor's${authority === undefined ? '' : `, ${authority}`}`
      return [what, { what: "Pass the visitor's Host on to serve", remedy: (advice) => advice.keepHost }]
    }
    case 'other-scheme':
      return [
        `it sees ${scheme ?? 'the other scheme'} as the scheme of the request, and has no point with that scheme on this host`,
        {
          what: `Tell serve the scheme that the visitor uses: ${point.scheme}`,
          remedy: (advice) => advice.sendScheme(point.scheme),
        },
      ]
    case 'ambiguous-scheme':
      return [
        "it can't tell whether the visitor uses http or https (no X-Forwarded-Proto from a trusted proxy)",
        {
          what: 'Tell serve the scheme that the visitor uses, and list the front end in listen.trustedProxies if it is on another machine',
          remedy: (advice) => advice.tellScheme,
        },
      ]
    case 'unknown-path':
      return [
        'the host is right, but its config has no point on the path that arrives',
        {
          what: `Pass the path on unchanged, and make sure that serve has the point: add ${toPoints}`,
          url: point.url,
          remedy: (advice) => advice.keepPath,
        },
      ]
    case 'bad-forwarding':
      return [
        'X-Forwarded-Proto, X-Forwarded-Host and Forwarded contradict each other',
        {
          what: 'Send X-Forwarded-Proto alone, and clear the others',
          remedy: (advice) => advice.clearForwarding(point.scheme),
        },
      ]
    default:
      return OWN[reason] ?? [`${status}, ${reason}`, SEE_LOG]
  }
}

/** What is wrong, and what to change. */
type Diagnosis = readonly [what: string, fix: Fix | string]

const SERVICE_DOWN =
  'Start the service, or correct "service.url" in the config of serve and let its machine reach the service'
const SEE_LOG = "Look the request up in the log of serve: the answer's X-Request-Id is its id there"
const CAPACITY =
  'Try again; if it keeps happening, give serve more memory (by default it bounds limits.concurrentRequests) or run more instances'

const OWN: Readonly<Record<string, Diagnosis>> = {
  loop: [
    'the request came back to it a second time',
    'Set "service.url" to the service itself: it leads back to this host',
  ],
  'body-taken': [
    'something in the app read the body first',
    'Mount the points before every body parser: app.use(points) comes before express.json() and the like',
  ],
  'upstream-refused': ['the service refuses its connections (upstream-refused)', SERVICE_DOWN],
  'upstream-unreachable': ["it can't reach the service (upstream-unreachable)", SERVICE_DOWN],
  'upstream-reset': ['the service closes its connections (upstream-reset)', SERVICE_DOWN],
  'upstream-connect-timeout': [
    "it can't connect to the service in time (upstream-connect-timeout)",
    SERVICE_DOWN,
  ],
  'upstream-head-timeout': [
    'the service does not answer it in time (upstream-head-timeout)',
    'Find out why the service is slow, or raise timeouts.headers in the config of serve',
  ],
  'upstream-dns': [
    'the name of the service does not resolve there (upstream-dns)',
    'Correct the host in "service.url" in the config of serve, or DNS on its machine',
  ],
  'upstream-tls': [
    'it does not trust the certificate of the service (upstream-tls)',
    'Correct "service.url", or put the authority of its certificate into "service.ca" in the config of serve',
  ],
  'upstream-malformed': [
    "the service's answer isn't valid HTTP (upstream-malformed)",
    'Make sure that "service.url" in the config of serve has the scheme and port of the service',
  ],
  overloaded: ['too many requests are in flight', CAPACITY],
  'hopeless-wait': [
    'more requests wait for the service than it answers in time',
    'See why the service is slow, or raise limits.upstreamConnections in the config of serve',
  ],
  'memory-short': ['its memory is short', 'Give serve more memory, or run more instances'],
  draining: ['it is shutting down', 'Start it again'],
  'head-too-large': [
    'the head of the request is too large',
    'Raise "limits.headerBytes" in the config of serve',
  ],
}
