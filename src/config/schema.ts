import * as v from 'valibot'
import { judgeOrigin, judgePrefix, judgeTrustedProxy, judgeUrl } from './judge.ts'
import {
  anyText,
  choice,
  described,
  duration,
  filledText,
  flag,
  host,
  integer,
  interval,
  optional,
  pem,
  port,
  secret,
  section,
  text,
  webhookUrl,
  withDefault,
} from './schema-parts.ts'

/*
 * The schema of the config file as written. Nothing is converted here, so that the JSON Schema can be generated from it.
 */

const service = section({
  url: optional(
    text('an origin such as "https://cobrowse.example.net"', judgeOrigin),
    'Origin of the service that receives the forwarded requests.',
    'https://cobrowse.example.net',
  ),
  api: optional(
    text('a URL such as "https://cobrowse.example.net/v2"', judgeUrl),
    'Root of the REST API. Default: url + "/v2".',
    'https://cobrowse.example.net/v2',
  ),
  prefix: withDefault(
    '/service_cookie_transfer/',
    text('a path such as "/service_cookie_transfer/", a slash at each end', judgePrefix),
    "Path segment of the continuation end: the vendor's own goes here.",
  ),
  keepCookiePath: withDefault(
    false,
    flag,
    'Forward what stands before the prefix too, instead of taking it off.',
  ),
  ca: optional(
    pem,
    'Further certificate authority to trust for the service, as PEM. Verification itself cannot be switched off.',
    'file:/etc/ssl/private-ca.pem',
  ),
})

const pointUrl = described(
  anyText,
  'URL of the point: origin, cookie path if any, then the prefix.',
  'https://www.example.com/service_cookie_transfer/',
)

const point = v.union(
  [
    pointUrl,
    v.pipe(
      section({
        url: pointUrl,
        widgetKey: optional(
          secret,
          'Widget key of this point: it belongs to the account of that key.',
          'env:UK_WIDGET_KEY',
        ),
        apiKey: optional(
          secret,
          'REST key of that account, beside a widget key of its own.',
          'env:UK_API_KEY',
        ),
      }),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed || dataset.value.apiKey === undefined) return
        if (dataset.value.widgetKey !== undefined) return
        const message = 'it has an apiKey, but no widgetKey of its own that says of which account'
        addIssue({ message, expected: '"widgetKey" beside "apiKey"' })
      }),
    ),
  ],
  'a URL, or an object with "url", "widgetKey" and "apiKey"',
)

const cookie = section({
  name: described(anyText, 'Name of the cookie.'),
  domain: described(
    anyText,
    'A leading dot means a domain cookie, none a host-only cookie.',
    'www.example.com',
    '.example.com',
  ),
  path: described(anyText, 'Path of the cookie.', '/'),
  httponly: withDefault(false, flag, 'Whether the cookie is httpOnly.'),
  secure: optional(flag, 'Hint for the checker: the cookie has the Secure attribute.'),
  sameSite: optional(
    choice(['Strict', 'Lax', 'None']),
    'Hint for the checker: the SameSite attribute of the cookie.',
  ),
})

const forward = section({
  cookies: withDefault(
    'all',
    choice(['all', 'scoped']),
    'Which cookies leave the site: all, or only those listed in "cookies" and "alsoCookies".',
  ),
  alsoCookies: withDefault(
    [],
    v.array(anyText, 'an array of cookie names'),
    'Names that "scoped" lets through beside "cookies".',
  ),
  clientAddress: withDefault(
    'append',
    choice(['append', 'omit']),
    'Whether X-Forwarded-For tells the service the address of the client.',
  ),
})

const tls = section({
  cert: described(pem, 'Certificate chain, as PEM.', 'file:/etc/ssl/www.pem'),
  key: described(pem, 'Private key, as PEM.', 'file:/etc/ssl/www.key'),
})

const listen = section({
  host: withDefault('127.0.0.1', host, 'Address of the public listener.'),
  port: withDefault(8080, port, 'Port of the public listener; 0 picks a free one.'),
  trustedProxies: withDefault(
    ['loopback'],
    v.array(
      text('"loopback", "private" or an address block such as "10.0.0.0/8"', judgeTrustedProxy),
      'an array of address blocks',
    ),
    'Peers whose X-Forwarded-* and Forwarded fields are believed: "loopback", "private" (loopback and private networks) or CIDR blocks.',
    ['loopback', '10.0.0.0/8'],
  ),
  tls: withDefault(null, v.nullable(tls), 'Certificate and key of the public listener; null: plain http.'),
})

const admin = section({
  host: withDefault('127.0.0.1', host, 'Address of the admin listener.'),
  port: withDefault(9090, port, 'Port of the admin listener; 0 picks a free one.'),
})

const timeouts = section({
  connect: withDefault('5s', duration, 'DNS, TCP and TLS to the service together.'),
  headers: withDefault('30s', duration, 'The wait for the response head after the request was sent.'),
  idle: withDefault('30s', duration, 'Every stall of either side, and the whole of a request head.'),
  drain: withDefault('25s', duration, 'The time between SIGTERM and a hard stop.'),
})

const limits = section({
  headerBytes: withDefault(65_536, integer(1024, 1_048_576), 'The largest request head, in bytes.'),
  bodyBytes: withDefault(
    null,
    v.nullable(integer(1, Number.MAX_SAFE_INTEGER)),
    'The largest request body, in bytes; null: no limit.',
  ),
  concurrentRequests: withDefault(
    'auto',
    v.union([v.literal('auto'), integer(1, 1_000_000)], 'a whole number from 1 to 1000000, or "auto"'),
    'Requests in flight in one process before the next one gets 503; "auto": as many as its memory can hold, at most 1024.',
  ),
  upstreamConnections: withDefault(
    128,
    integer(1, 65_535),
    'Connections to the service at the same time; workers share them.',
  ),
})

const monitor = section({
  every: withDefault(
    '5m',
    interval,
    'How often `monitor` checks: from the start of one run to the start of the next, at least 30 seconds.',
  ),
  webhook: withDefault(
    null,
    v.nullable(webhookUrl),
    'Where `monitor` posts JSON when a verdict changes: "env:NAME", "file:/path" or an https URL; null: nowhere.',
    'env:MONITOR_WEBHOOK',
  ),
})

const log = section({
  level: withDefault(
    'info',
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'The least severe message that is logged.',
  ),
  access: withDefault(true, flag, 'One line for each request.'),
  clientAddress: withDefault(
    'omit',
    choice(['omit', 'truncated', 'full']),
    'How much of the address of the client is logged.',
  ),
})

const suppression = section({
  rule: described(filledText('the id of a rule'), 'Rule to suppress.', 'url/plain-http'),
  match: optional(
    anyText,
    'URL of the point or page, or name of the cookie; "*" is a wildcard. Left out, it matches all.',
  ),
  reason: described(filledText('the reason, in words'), 'Why this is accepted.'),
})

const webhook = section({
  url: described(
    secret,
    'URL of the receiver, whole. It holds a secret, so it is written as one: "env:NAME" or "file:/path".',
    'env:WEBHOOK_URL',
  ),
  events: withDefault(
    ['session.started'],
    v.array(filledText('the name of an event'), 'an array of names of events'),
    'Events to send there; the service documents "session.started".',
  ),
})

/** The config file. */
export const configSchema = section({
  $schema: optional(anyText, 'Where an editor finds this schema.', './config.schema.json'),
  service: withDefault({}, service, 'The co-browsing service.'),
  widgetKey: optional(
    secret,
    'Widget key sent with every forwarded request: "env:NAME", "file:/path" or the key itself.',
    'env:WIDGET_KEY',
  ),
  apiKey: optional(
    secret,
    'REST key, which only the commands about the account need.',
    'file:/run/secrets/api_key',
  ),
  points: withDefault(
    [],
    v.array(point, 'an array of points'),
    "The continuation points, in the service's own URL form.",
  ),
  pages: withDefault(
    [],
    v.array(anyText, 'an array of URLs'),
    'Origins where the widget runs, that is, where sessions start.',
    ['https://www.example.com/'],
  ),
  cookies: withDefault(
    [],
    v.array(cookie, 'an array of cookies'),
    "Every cookie to transfer: the account's cookie_transfer_scopes.",
  ),
  backTransfer: withDefault(
    false,
    flag,
    'Return cookies that changed during a session (enable_cookie_backtransfer).',
  ),
  forward: withDefault({}, forward, 'What is forwarded to the service.'),
  listen: withDefault({}, listen, 'The public listener.'),
  admin: withDefault(
    {},
    v.nullable(admin),
    'The listener for health and metrics, never to be exposed; null switches it off.',
  ),
  timeouts: withDefault({}, timeouts, 'Deadlines, each a number with its unit.'),
  limits: withDefault({}, limits, 'Limits of one process.'),
  workers: withDefault(
    1,
    v.union([v.literal('auto'), integer(1, 1024)], 'a whole number from 1 to 1024, or "auto"'),
    'Processes that serve; "auto": one for each processor that the machine or its cgroup grants.',
  ),
  monitor: withDefault({}, monitor, 'For `monitor`: how often it checks, and what it calls.'),
  log: withDefault({}, log, 'What is logged.'),
  suppress: withDefault(
    [],
    v.array(suppression, 'an array of suppressions'),
    'Findings of `check` that are accepted.',
  ),
  webhooks: optional(
    v.array(webhook, 'an array of webhooks'),
    "All webhooks of the account, for `webhooks apply`. Left out, the account's are left alone.",
  ),
})

/** The config file with defaults, before anything is converted. */
export type WrittenConfig = v.InferOutput<typeof configSchema>
