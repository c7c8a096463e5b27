import * as v from 'valibot'
import { findBaseUrlFault } from '../http/url-fault.ts'
import { judgeOrigin, judgePrefix, judgeTrustedProxy } from './judge.ts'
import {
  anyText,
  bytes,
  choice,
  described,
  duration,
  filledText,
  flag,
  host,
  integer,
  optional,
  pem,
  port,
  secret,
  section,
  text,
  withDefault,
} from './schema-parts.ts'

/* The schema of the config file as written. Nothing is converted here: the JSON Schema is generated from it. */

/** The service's own words for the vendor's path (spec 4.9). */
export const DEFAULT_PREFIX = '/service_cookie_transfer/'

/** What may be in front of a site: each front end of `render`, and an app in Node. */
export const FRONT_END_NAMES = ['nginx', 'apache', 'caddy', 'haproxy', 'node'] as const

export type FrontEndName = (typeof FRONT_END_NAMES)[number]

const service = section({
  url: optional(
    text('an origin such as "https://cobrowse.example.net"', judgeOrigin),
    'Origin of the service.',
    'https://cobrowse.example.net',
  ),
  api: optional(
    text('a URL such as "https://cobrowse.example.net/v2"', findBaseUrlFault),
    'Root of the REST API. Default: url + "/v2".',
    'https://cobrowse.example.net/v2',
  ),
  prefix: withDefault(
    DEFAULT_PREFIX,
    text('a path such as "/service_cookie_transfer/", a slash at each end', judgePrefix),
    "The vendor's path, with which every point ends.",
  ),
  keepCookiePath: withDefault(false, flag, 'Whether the path before the prefix is forwarded too.'),
  ca: optional(
    pem,
    'Additional certificate authority to trust for the service, as PEM.',
    'file:/etc/ssl/private-ca.pem',
  ),
})

const pointUrl = described(
  anyText,
  'Origin, cookie path if any, then the prefix.',
  'https://www.example.com/service_cookie_transfer/',
)

const point = v.union(
  [
    pointUrl,
    section({
      url: pointUrl,
      widgetKey: optional(
        secret,
        'Widget key of another account that the point belongs to; the commands for the account leave the point out.',
        'env:UK_WIDGET_KEY',
      ),
    }),
  ],
  'a URL, or an object with "url" and "widgetKey"',
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
    'Which cookies leave the site: all, or only those in "cookies" and "alsoCookies".',
  ),
  alsoCookies: withDefault(
    [],
    v.array(anyText, 'an array of cookie names'),
    'Names of cookies that "scoped" forwards too.',
  ),
  clientAddress: withDefault(
    'append',
    choice(['append', 'omit']),
    "Whether the service is told the client's address in X-Forwarded-For.",
  ),
})

const tls = section({
  cert: described(pem, 'Certificate chain, as PEM.', 'file:/etc/ssl/www.pem'),
  key: described(pem, 'Private key, as PEM.', 'file:/etc/ssl/www.key'),
})

const listen = section({
  host: withDefault('127.0.0.1', host, 'Address of the public listener.'),
  port: withDefault(8080, port, 'Port of the public listener; 0 picks a free one.'),
  reusePort: withDefault(
    false,
    flag,
    'Share the port with other instances on this machine, if Node and the system can.',
  ),
  trustedProxies: withDefault(
    ['loopback'],
    v.array(
      text('"loopback", "private" or an address block such as "10.0.0.0/8"', judgeTrustedProxy),
      'an array of address blocks',
    ),
    'Peers whose X-Forwarded-* and Forwarded headers are trusted: "loopback", "private" (loopback and private networks) or CIDR blocks.',
    ['loopback', '10.0.0.0/8'],
  ),
  tls: withDefault(null, v.nullable(tls), 'Certificate and key of the public listener; null: plain http.'),
})

const admin = section({
  host: withDefault('127.0.0.1', host, 'Address of the admin listener.'),
  port: withDefault(9090, port, 'Port of the admin listener; 0 picks a free one.'),
})

const timeouts = section({
  connect: withDefault('5s', duration, 'Time for DNS, TCP and TLS to the service together.'),
  headers: withDefault('30s', duration, 'Time to wait for the response head after the request was sent.'),
  idle: withDefault('30s', duration, 'Time without progress on either side, and for a whole request head.'),
  drain: withDefault('25s', duration, 'The time between SIGTERM and a hard stop.'),
  connectionAge: withDefault(
    '60s',
    duration,
    'How long a connection to the service is used, even under traffic; a new one asks DNS again.',
  ),
})

const limits = section({
  headerBytes: withDefault(65_536, bytes(1024, 1_048_576), 'The largest request head, in bytes.'),
  bodyBytes: withDefault(
    null,
    v.nullable(bytes(1, Number.MAX_SAFE_INTEGER)),
    'The largest request body, in bytes; null: no limit.',
  ),
  concurrentRequests: withDefault(
    'auto',
    v.union([v.literal('auto'), integer(1, 1_000_000)], 'a whole number from 1 to 1000000, or "auto"'),
    'Maximum number of requests in flight; others get 503. "auto": what fits in memory, at most 1024.',
  ),
  upstreamConnections: withDefault(128, integer(1, 65_535), 'Maximum number of connections to the service.'),
})

const log = section({
  level: withDefault(
    'info',
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'The least severe message that is logged.',
  ),
  access: withDefault(true, flag, 'Whether a line is logged for each request.'),
  clientAddress: withDefault(
    'omit',
    choice(['omit', 'truncated', 'full']),
    "How much of the client's address is logged.",
  ),
})

const suppression = section({
  rule: described(filledText('the id of a rule'), 'Rule to suppress.', 'url/plain-http'),
  match: optional(
    anyText,
    'URL of the point or page, or name of the cookie; "*" is a wildcard. If omitted: everything.',
  ),
  reason: described(filledText('the reason, in words'), 'Why this is accepted.'),
})

export const configSchema = section({
  $schema: optional(anyText, 'Path of this schema, for editors.', './config.schema.json'),
  service: withDefault({}, service, 'The co-browsing service.'),
  widgetKey: optional(
    secret,
    'Widget key sent with every forwarded request: "env:NAME", "file:/path" or the key itself.',
    'env:WIDGET_KEY',
  ),
  apiKey: optional(
    secret,
    'REST key. Only the commands for the account need it.',
    'file:/run/secrets/api_key',
  ),
  points: withDefault(
    [],
    v.array(point, 'an array of points'),
    'URLs of the continuation points; the account lists them in cookie_transfer_urls.',
  ),
  pages: withDefault(
    [],
    v.array(anyText, 'an array of URLs'),
    'Origins where the widget runs and sessions start.',
    ['https://www.example.com/'],
  ),
  cookies: optional(
    v.array(cookie, 'an array of cookies'),
    "Every cookie to transfer: the account's cookie_transfer_scopes. If omitted, they are not compared or changed.",
  ),
  backTransfer: optional(
    flag,
    'Return cookies that changed during a session (enable_cookie_backtransfer). If omitted, it is not compared or changed.',
  ),
  frontEnd: optional(
    choice(FRONT_END_NAMES),
    'What is in front of the site; fixes of `check` show its lines.',
  ),
  forward: withDefault({}, forward, 'What is forwarded to the service.'),
  listen: withDefault({}, listen, 'The public listener.'),
  admin: withDefault(
    {},
    v.nullable(admin),
    'The listener for health checks and metrics. Never expose it; null turns it off.',
  ),
  timeouts: withDefault({}, timeouts, 'Time limits, each a number with a unit.'),
  limits: withDefault({}, limits, 'Limits of each process.'),
  log: withDefault({}, log, 'What is logged.'),
  suppress: withDefault(
    [],
    v.array(suppression, 'an array of suppressions'),
    'Findings of `check` that are accepted.',
  ),
})

/** The config file with defaults, before anything is converted. */
export type WrittenConfig = v.InferOutput<typeof configSchema>
