import * as v from 'valibot'
import { judgeOrigin, judgePrefix, judgeRoot, judgeTrustedProxy } from './judge.ts'
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
  pem,
  port,
  secret,
  section,
  text,
  webhookUrl,
} from './shapes.ts'

/*
 * The schema of the config file as written. Nothing is converted here, so that the JSON Schema can be generated from it.
 */

const service = section({
  url: v.optional(
    described(
      text('an origin such as "https://cobrowse.example.net"', judgeOrigin),
      'Origin of the service that receives the forwarded requests.',
      'https://cobrowse.example.net',
    ),
  ),
  api: v.optional(
    described(
      text('a URL such as "https://cobrowse.example.net/v2"', judgeRoot),
      'Root of the REST API. Default: url + "/v2".',
      'https://cobrowse.example.net/v2',
    ),
  ),
  prefix: v.optional(
    described(
      text('a path such as "/service_cookie_transfer/", a slash at each end', judgePrefix),
      "Path segment of the continuation end: the vendor's own goes here.",
    ),
    '/service_cookie_transfer/',
  ),
  keepCookiePath: v.optional(
    described(flag, 'Forward what stands before the prefix too, instead of taking it off.'),
    false,
  ),
  ca: v.optional(
    described(
      pem,
      'Further certificate authority to trust for the service, as PEM. Verification itself cannot be switched off.',
      'file:/etc/ssl/private-ca.pem',
    ),
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
        widgetKey: v.optional(
          described(
            secret,
            'Widget key of this point: it belongs to the account of that key.',
            'env:UK_WIDGET_KEY',
          ),
        ),
        apiKey: v.optional(
          described(secret, 'REST key of that account, beside a widget key of its own.', 'env:UK_API_KEY'),
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
  httponly: v.optional(described(flag, 'Whether the cookie is httpOnly.'), false),
  secure: v.optional(described(flag, 'Hint for the checker: the cookie has the Secure attribute.')),
  sameSite: v.optional(
    described(
      choice(['Strict', 'Lax', 'None']),
      'Hint for the checker: the SameSite attribute of the cookie.',
    ),
  ),
})

const forward = section({
  cookies: v.optional(
    described(
      choice(['all', 'scoped']),
      'Which cookies leave the site: all, or only those listed in "cookies" and "alsoCookies".',
    ),
    'all',
  ),
  alsoCookies: v.optional(
    described(
      v.array(anyText, 'an array of cookie names'),
      'Names that "scoped" lets through beside "cookies".',
    ),
    [],
  ),
  clientAddress: v.optional(
    described(
      choice(['append', 'omit']),
      'Whether X-Forwarded-For tells the service the address of the client.',
    ),
    'append',
  ),
})

const tls = section({
  cert: described(pem, 'Certificate chain, as PEM.', 'file:/etc/ssl/www.pem'),
  key: described(pem, 'Private key, as PEM.', 'file:/etc/ssl/www.key'),
})

const listen = section({
  host: v.optional(described(host, 'Address of the public listener.'), '127.0.0.1'),
  port: v.optional(described(port, 'Port of the public listener; 0 picks a free one.'), 8080),
  trustedProxies: v.optional(
    described(
      v.array(
        text('"loopback", "private" or an address block such as "10.0.0.0/8"', judgeTrustedProxy),
        'an array of address blocks',
      ),
      'Peers whose X-Forwarded-* and Forwarded fields are believed: "loopback", "private" (loopback and private networks) or CIDR blocks.',
      ['loopback', '10.0.0.0/8'],
    ),
    ['loopback'],
  ),
  tls: v.optional(
    described(v.nullable(tls), 'Certificate and key of the public listener; null: plain http.'),
    null,
  ),
})

const admin = section({
  host: v.optional(described(host, 'Address of the admin listener.'), '127.0.0.1'),
  port: v.optional(described(port, 'Port of the admin listener; 0 picks a free one.'), 9090),
})

const timeouts = section({
  connect: v.optional(described(duration, 'DNS, TCP and TLS to the service together.'), '5s'),
  headers: v.optional(
    described(duration, 'The wait for the response head after the request was sent.'),
    '30s',
  ),
  idle: v.optional(
    described(duration, 'Every stall of either side, and the whole of a request head.'),
    '30s',
  ),
  drain: v.optional(described(duration, 'The time between SIGTERM and a hard stop.'), '25s'),
})

const limits = section({
  headerBytes: v.optional(described(integer(1024, 1_048_576), 'The largest request head, in bytes.'), 65_536),
  bodyBytes: v.optional(
    described(
      v.nullable(integer(1, Number.MAX_SAFE_INTEGER)),
      'The largest request body, in bytes; null: no limit.',
    ),
    null,
  ),
  concurrentRequests: v.optional(
    described(
      v.union([v.literal('auto'), integer(1, 1_000_000)], 'a whole number from 1 to 1000000, or "auto"'),
      'Requests in flight in one process before the next one gets 503; "auto": as many as its memory can hold, at most 1024.',
    ),
    'auto',
  ),
  upstreamConnections: v.optional(
    described(integer(1, 65_535), 'Connections to the service at the same time; workers share them.'),
    128,
  ),
})

const monitor = section({
  every: v.optional(
    described(
      interval,
      'How often `monitor` checks: from the start of one run to the start of the next, at least 30 seconds.',
    ),
    '5m',
  ),
  webhook: v.optional(
    described(
      v.nullable(webhookUrl),
      'Where `monitor` posts JSON when a verdict changes: "env:NAME", "file:/path" or an https URL; null: nowhere.',
      'env:MONITOR_WEBHOOK',
    ),
    null,
  ),
})

const log = section({
  level: v.optional(
    described(
      choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
      'The least severe message that is logged.',
    ),
    'info',
  ),
  access: v.optional(described(flag, 'One line for each request.'), true),
  clientAddress: v.optional(
    described(choice(['omit', 'truncated', 'full']), 'How much of the address of the client is logged.'),
    'omit',
  ),
})

const suppression = section({
  rule: described(filledText('the id of a rule'), 'Rule to suppress.', 'url/plain-http'),
  match: v.optional(
    described(
      anyText,
      'URL of the point or page, or name of the cookie; "*" is a wildcard. Left out, it matches all.',
    ),
  ),
  reason: described(filledText('the reason, in words'), 'Why this is accepted.'),
})

const webhook = section({
  url: described(
    secret,
    'URL of the receiver, whole. It holds a secret, so it is written as one: "env:NAME" or "file:/path".',
    'env:WEBHOOK_URL',
  ),
  events: v.optional(
    described(
      v.array(filledText('the name of an event'), 'an array of names of events'),
      'Events to send there; the service documents "session.started".',
    ),
    ['session.started'],
  ),
})

/** The config file. */
export const configSchema = section({
  $schema: v.optional(described(anyText, 'Where an editor finds this schema.', './config.schema.json')),
  service: v.optional(described(service, 'The co-browsing service.'), {}),
  widgetKey: v.optional(
    described(
      secret,
      'Widget key sent with every forwarded request: "env:NAME", "file:/path" or the key itself.',
      'env:WIDGET_KEY',
    ),
  ),
  apiKey: v.optional(
    described(
      secret,
      'REST key, which only the commands about the account need.',
      'file:/run/secrets/api_key',
    ),
  ),
  points: v.optional(
    described(
      v.array(point, 'an array of points'),
      "The continuation points, in the service's own URL form.",
    ),
    [],
  ),
  pages: v.optional(
    described(
      v.array(anyText, 'an array of URLs'),
      'Origins where the widget runs, that is, where sessions start.',
      ['https://www.example.com/'],
    ),
    [],
  ),
  cookies: v.optional(
    described(
      v.array(cookie, 'an array of cookies'),
      "Every cookie to transfer: the account's cookie_transfer_scopes.",
    ),
    [],
  ),
  backTransfer: v.optional(
    described(flag, 'Return cookies that changed during a session (enable_cookie_backtransfer).'),
    false,
  ),
  forward: v.optional(described(forward, 'What is forwarded to the service.'), {}),
  listen: v.optional(described(listen, 'The public listener.'), {}),
  admin: v.optional(
    described(
      v.nullable(admin),
      'The listener for health and metrics, never to be exposed; null switches it off.',
    ),
    {},
  ),
  timeouts: v.optional(described(timeouts, 'Deadlines, each a number with its unit.'), {}),
  limits: v.optional(described(limits, 'Limits of one process.'), {}),
  workers: v.optional(
    described(
      v.union([v.literal('auto'), integer(1, 1024)], 'a whole number from 1 to 1024, or "auto"'),
      'Processes that serve; "auto": one for each processor that the machine or its cgroup grants.',
    ),
    1,
  ),
  monitor: v.optional(described(monitor, 'For `monitor`: how often it checks, and what it calls.'), {}),
  log: v.optional(described(log, 'What is logged.'), {}),
  suppress: v.optional(
    described(v.array(suppression, 'an array of suppressions'), 'Findings of `check` that are accepted.'),
    [],
  ),
  webhooks: v.optional(
    described(
      v.array(webhook, 'an array of webhooks'),
      "All webhooks of the account, for `webhooks apply`. Left out, the account's are left alone.",
    ),
  ),
})

/** The config file with defaults, before anything is converted. */
export type WrittenConfig = v.InferOutput<typeof configSchema>
