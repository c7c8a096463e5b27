import { HOP_BEFORE } from '../../forward/field-rules.ts'
import type { FrontEnd } from '../front-end.ts'
import { indent, separate } from '../indent.ts'
import { type Step, wholeFile } from '../part.ts'
import { describePurpose, type Site, toTargetUrl, toWaitMs } from '../site.ts'

export const trafficServer: FrontEnd = {
  name: 'trafficserver',
  title: 'Apache Traffic Server',
  output:
    'A Lua script for remap.config, with the lines that load it, for Traffic Server 9 with its plugin tslua.',
  without: { forward: 'the script for Traffic Server only routes: use --mode route, and serve forwards' },
  reasonAgainst,
  gaps: [
    'X-Forwarded-For of a client is replaced by its address, whatever listen.trustedProxies says.',
    'Slashes before the first segment of a path are dropped: //service_cookie_transfer/ reaches the point.',
    'Debian’s ip_allow.yaml refuses DELETE from everywhere but loopback: allow it there.',
    'The site’s access log gets requests that Traffic Server refuses by itself, such as those with Upgrade.',
  ],
  parts: (site) => wholeFile('continuation-point.lua', render(site), toSteps(site)),
}

/** A path that remap.config can't hold, or that Traffic Server reads otherwise. */
function reasonAgainst({ origins }: Site): string | undefined {
  return origins.some(({ points }) => points.some(({ path }) => /[;']/.test(path)))
    ? 'a path in remap.config can’t contain a quote or a semicolon'
    : undefined
}

function render(site: Site): readonly string[] {
  return separate([preface(site), settings(site), removed, remap])
}

function toSteps(site: Site): readonly Step[] {
  const maps = site.origins.flatMap(({ url, points }) =>
    points.map(
      ({ path }) =>
        `map ${url}${path} ${toTargetUrl(site.target)}${path} @plugin=tslua.so @pparam=continuation-point.lua`,
    ),
  )
  return [
    { what: 'Put the file beside remap.config, and these lines before all others there', lines: maps },
    {
      what: 'Put these into records.config; without them, error.log gets the queries of requests while serve is down',
      lines: records(site),
    },
    { what: 'Test the config, then restart Traffic Server', lines: ['traffic_server -C verify_config'] },
  ]
}

function preface(site: Site): string[] {
  const steps = toSteps(site).flatMap(({ what, lines }) => [`${what}:`, ...indent(lines)])
  return [describePurpose('Apache Traffic Server', site), '', ...steps].map((line) => `-- ${line}`.trimEnd())
}

function records({ headerBytes }: Site): string[] {
  const values = {
    'log.logging_enabled': 2,
    ...(headerBytes > DEFAULT_HEADER_BYTES && {
      'http.request_header_max_size': headerBytes,
      'http.header_field_max_size': headerBytes,
    }),
  }
  return Object.entries(values).map(([name, value]) => `CONFIG proxy.config.${name} INT ${value}`)
}

const DEFAULT_HEADER_BYTES = 131_070

function settings(site: Site): string[] {
  const { clientAddress } = site
  const waitSeconds = Math.ceil(toWaitMs(site) / 1000)
  const table = (entries: Readonly<Record<string, number>>) =>
    Object.entries(entries).map(([name, value]) => `[TS_LUA_CONFIG_${name}] = ${value},`)
  return [
    'local settings = {',
    ...indent([
      '-- serve finds its points by Host.',
      ...table({ URL_REMAP_PRISTINE_HOST_HDR: 1 }),
      '-- Nothing comes from the cache, and what serve sends stays as it is.',
      ...table({
        HTTP_CACHE_HTTP: 0,
        HTTP_NORMALIZE_AE: 0,
        HTTP_NUMBER_OF_REDIRECTIONS: 0,
        HTTP_INSERT_REQUEST_VIA_STR: 0,
        HTTP_INSERT_RESPONSE_VIA_STR: 0,
        HTTP_INSERT_AGE_IN_RESPONSE: 0,
        HTTP_RESPONSE_SERVER_ENABLED: 0,
      }),
      '-- The client’s address goes into X-Forwarded-For alone.',
      ...table({
        HTTP_ANONYMIZE_INSERT_CLIENT_IP: 0,
        HTTP_INSERT_SQUID_X_FORWARDED_FOR: clientAddress === 'omit' ? 0 : 1,
      }),
      '-- Nothing is sent twice, and serve stays in use after a failure.',
      ...table({ HTTP_CONNECT_ATTEMPTS_MAX_RETRIES: 0, HTTP_CONNECT_DEAD_POLICY: 0 }),
      '-- serve times out first, with an answer that says so. A request may last as long as data arrives.',
      ...table({
        HTTP_CONNECT_ATTEMPTS_TIMEOUT: waitSeconds,
        HTTP_POST_CONNECT_ATTEMPTS_TIMEOUT: waitSeconds,
        HTTP_TRANSACTION_NO_ACTIVITY_TIMEOUT_IN: waitSeconds,
        HTTP_TRANSACTION_NO_ACTIVITY_TIMEOUT_OUT: waitSeconds,
        HTTP_TRANSACTION_ACTIVE_TIMEOUT_IN: 0,
        HTTP_TRANSACTION_ACTIVE_TIMEOUT_OUT: 0,
      }),
      '-- When the client disconnects, the request ends.',
      ...table({ HTTP_ALLOW_HALF_OPEN: 0 }),
      '-- Backpressure: a body is read no faster than its receiver takes it.',
      ...table({ HTTP_FLOW_CONTROL_ENABLED: 1 }),
    ]),
    '}',
  ]
}

const removed = [
  '-- serve trusts Traffic Server, so these fields of the client are removed.',
  'local removed = {',
  ...indent([...HOP_BEFORE, 'X-Forwarded-For', 'X-Request-Id'].map((name) => `'${name}',`)),
  '}',
]

const remap = [
  'function do_remap()',
  ...indent([
    'for setting, value in pairs(settings) do',
    '  ts.http.config_int_set(setting, value)',
    'end',
    '-- serve keeps a log, without queries and addresses.',
    'ts.http.cntl_set(TS_LUA_HTTP_CNTL_LOGGING_MODE, 0)',
    'local header = ts.client_request.header',
    'for _, name in ipairs(removed) do',
    '  header[name] = nil',
    'end',
    "header['X-Forwarded-Proto'] = ts.remap.get_from_url_scheme()",
    '-- The path as received: if two slashes follow the rule’s own path, the rule drops one.',
    "ts.client_request.set_uri(ts.client_request.get_pristine_url():match('^%a+://[^/]*(/[^;?#]*)'))",
    'return TS_LUA_REMAP_NO_REMAP',
  ]),
  'end',
]
