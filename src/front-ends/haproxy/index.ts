import { CACHE_OVERRIDES, FRONT_END_ORDERS, NOT_STORED, ORIGIN_WIDE } from '../../forward/field-rules.ts'
import { type Explained, explain, indent, quoteRegex, separate, toDuration } from '../config-text.ts'
import { requestPattern } from '../fields.ts'
import type { ForwardTarget } from '../forward-target.ts'
import { groupByHost, listKeyNames, type SiteHost, type SiteOrigin } from '../origins.ts'
import { type FrontEnd, keyStep, type Part, type Step } from '../part.ts'
import { type Site, toWaitMs } from '../site.ts'

const FILE = 'continuation-point.cfg'
const HOME = { folder: '/etc/haproxy', file: 'haproxy.cfg' }

export const haproxy: FrontEnd = {
  name: 'haproxy',
  title: 'HAProxy',
  parts: renderParts,
  home: HOME,
  apply: (folder) => `haproxy -c -f ${folder}/${HOME.file} -f ${folder}/${FILE} && systemctl restart haproxy`,
  undo: 'remove the use_backend lines and the -f',
}

/** HAProxy has no include: backends in a file that it reads in addition to its own, and a line for each frontend. */
function renderParts(site: Site, folder = HOME.folder): readonly Part[] {
  const { target, origins } = site
  const keys = keyStep(
    'HAProxy reads the widget keys from its environment, on Debian from /etc/default/haproxy',
    site,
    (keyName) => `${keyName}=…`,
  )
  const uses =
    target.kind === 'route'
      ? groupByHost(origins).map((host) => use('continuation_point', host.host, host))
      : origins.flatMap((origin) =>
          groupByHost([origin]).map((host) => use(nameBackend(origin), origin.url, host)),
        )
  return [
    {
      file: FILE,
      about: 'The backends of the points; what they don’t say is in the last defaults section of haproxy.cfg',
      steps: [
        ...uses,
        ...(target.kind === 'route' ? [] : [keys]),
        {
          what: 'Make HAProxy read this file as well as haproxy.cfg, on Debian in /etc/default/haproxy',
          lines: [`EXTRAOPTS="-S /run/haproxy-master.sock -f ${folder}/${FILE}"`],
        },
      ],
      lines: renderSections(site),
    },
  ]
}

function use(backend: string, name: string, { authorities, paths }: SiteHost): Step {
  const where = paths.every((path) => /^[A-Za-z0-9/_.~-]+$/.test(path))
    ? `path_beg ${paths.join(' ')}`
    : `path -m reg '^(?:${paths.map(quoteRegex).join('|')})'`
  return {
    what: `In the frontend of ${name}, before its other use_backend lines`,
    lines: [`use_backend ${backend} if { ${where} } { req.hdr(host) -m str -i ${authorities.join(' ')} }`],
  }
}

function renderSections(site: Site): string[] {
  const { target, origins, headerBytes } = site
  return separate([
    section('global', [
      // With room for added fields.
      [`tune.bufsize ${headerBytes + 16_384}`, 'all cookies of a request fit into one buffer'],
      ['tune.http.maxhdr 256', 'by default a request has at most 101 headers'],
    ]),
    ...(target.kind === 'route'
      ? [section('backend continuation_point', routeLines(site, `${target.host}:${target.port}`))]
      : [
          target.hostKind === 'name' ? RESOLVERS : [],
          ...origins.map((origin) =>
            section(`backend ${nameBackend(origin)}`, forwardLines(site, target, origin)),
          ),
        ]),
  ])
}

function routeLines(site: Site, address: string): Explained[] {
  return [
    ['mode http'],
    [
      'http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]',
      'write https if TLS ends in front of HAProxy',
    ],
    clientAddress(site),
    ['http-request del-header X-Forwarded-Host', 'serve would believe a visitor’s own'],
    ['http-request del-header Forwarded', 'the same'],
    REQUEST_ID,
    [`timeout server ${toDuration(toWaitMs(site))}`, 'serve answers before that, and says why'],
    [`server serve ${address}`],
  ]
}

/** Only paths that begin like a point get here. */
function forwardLines(site: Site, target: ForwardTarget, { url, points }: SiteOrigin): Explained[] {
  const { bodyBytes, connectMs } = site
  const stripped = points.filter(({ strippedPath }) => strippedPath !== '')
  return [
    ['mode http'],
    ['http-request return status 405 if METH_TRACE or METH_CONNECT', 'would echo httpOnly cookies'],
    [
      `http-request deny deny_status 400 if { url -m reg -i '${REFUSED}' }`,
      'servers disagree on what it means',
    ],
    bodyBytes !== undefined && [
      `http-request deny deny_status 413 if { req.body_size gt ${bodyBytes} }`,
      'limits.bodyBytes',
    ],
    [`http-request del-header '${requestPattern(site)}' -m reg`, 'set here, or about the way here'],
    // A proxy of the service would remove what it names.
    ['http-request del-header Connection', 'it could name what is set here'],
    [`http-request set-header Host ${target.authority}`, 'the service'],
    [`http-request set-header X-Continuation-Origin ${url}`, 'where the session takes place'],
    ...listKeyNames([{ points }]).map((key) => keyRule(key, points)),
    clientAddress(site),
    REQUEST_ID,
    ['http-request set-uri %[pathq] unless { url -m beg / }', 'of a whole URL only the path'],
    ...stripped.map(
      ({ path, strippedPath }): Explained => [
        String.raw`http-request replace-path '^${quoteRegex(strippedPath)}(${quoteRegex(path.slice(strippedPath.length))}.*)$' '\1'`,
        'without the cookie path',
      ],
    ),
    ...[ORIGIN_WIDE, FRONT_END_ORDERS, CACHE_OVERRIDES].map((names): Explained => {
      const pattern = `^(${names.join('|').toLowerCase()})$`
      return [`http-response del-header '${pattern}' -m reg`, 'affects more than this response']
    }),
    [
      `http-response set-header Cache-Control '${NOT_STORED}' unless { res.hdr(cache-control) -m found }`,
      'where the service sends none',
    ],
    [`timeout connect ${toDuration(connectMs)}`, 'timeouts.connect'],
    [`timeout server ${toDuration(toWaitMs(site))}`, 'timeouts.headers and idle'],
    [server(target)],
  ]
}

/** The key of those points that have it; the variable is read for each request, so quotes in a key don't matter. */
function keyRule(key: string, points: SiteOrigin['points']): Explained {
  const own = points.filter(({ keyName }) => keyName === key).map(({ path }) => quoteRegex(path))
  const where = own.length === points.length ? '' : ` if { path -m reg '^(?:${own.join('|')})' }`
  return [`http-request set-header X-Widget-Key %[env(${key})]${where}`, 'whose session it is']
}

function clientAddress({ clientAddress }: Site): Explained {
  return clientAddress === 'omit'
    ? ['http-request del-header X-Forwarded-For', 'forward.clientAddress']
    : ['http-request set-header X-Forwarded-For %[src]', 'the visitor’s address']
}

function server(target: ForwardTarget): string {
  const { scheme, host, port, hostKind, caFile } = target
  const address = hostKind === 'localhost' ? '127.0.0.1' : host
  const lookedUp = hostKind === 'name' ? ' resolvers continuation_dns init-addr none resolve-prefer ipv4' : ''
  if (scheme === 'http') return `server service ${address}:${port}${lookedUp}`
  const name = hostKind === 'address' ? '' : ` sni str(${host}) verifyhost ${host}`
  return `server service ${address}:${port} ssl verify required ca-file "${caFile}" ssl-min-ver TLSv1.2${name}${lookedUp}`
}

function nameBackend({ url }: SiteOrigin): string {
  return `continuation_${url.replace('://', '_').replace(/[^A-Za-z0-9._-]/g, '_')}`
}

/** A keyword with its name, and its lines. */
function section(head: string, lines: readonly Explained[]): string[] {
  return [head, ...indent(explain(lines), '    ')]
}

const RESOLVERS = section('resolvers continuation_dns', [
  ['parse-resolv-conf', 'the service is resolved again when its DNS record expires'],
  ['accepted_payload_size 4096'],
])
const REQUEST_ID: Explained = [
  'http-request set-header X-Request-Id %[uuid()]',
  'a new one, not the visitor’s',
]
/** Of the path: dot segments in any encoding, backslashes, encoded controls, and a number sign. */
const REFUSED = String.raw`^[^?]*((/|%2f|%5c)(\.|%2e){1,2}(/|%2f|%5c|\?|$)|\x5c|%0a|%0d|%00)|#`
