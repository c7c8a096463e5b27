import { NOT_STORED } from '../../forward/field-rules.ts'
import { aliasPattern, RESPONSE_REMOVED, requestRemoved } from '../fields.ts'
import type { ForwardTarget } from '../forward-target.ts'
import { indent, separate } from '../indent.ts'
import { listKeyNames, type SiteOrigin } from '../origins.ts'
import { quoteRegex } from '../quote.ts'
import { type Site, toWaitMs } from '../site.ts'

export function renderSections(site: Site): string[] {
  const { target, origins, headerBytes } = site
  return separate([
    section('global', [
      '# Every request carries cookies: a whole request head must fit into one buffer, with room for added fields.',
      `tune.bufsize ${headerBytes + 16_384}`,
      'tune.http.maxhdr 256',
      '# Otherwise a WebSocket over HTTP/2 counts as open when the service responds with 200.',
      'h2-workaround-bogus-websocket-clients',
    ]),
    ownDefaults(site),
    ...(target.kind === 'route'
      ? [routeBackend(site)]
      : [resolversSection(site), ...origins.map((origin) => forwardBackend(site, target, origin))]),
    onceSection(site),
  ])
}

/** Of the sections below, instead of the site's, whose health checks, server options or retries may not fit. */
function ownDefaults(site: Site): string[] {
  const { target, connectMs, headersMs, idleMs } = site
  const isRoute = target.kind === 'route'
  const waitMs = isRoute ? toWaitMs(site) : Math.max(headersMs, idleMs)
  return section('defaults continuation_point', [
    'mode http',
    `timeout connect ${connectMs}ms`,
    ...(isRoute ? ['# serve times out first, and its answer says why.'] : []),
    `timeout client ${waitMs}ms`,
    `timeout server ${waitMs}ms`,
  ])
}

function resolversSection({ target }: Site): string[] {
  if (!isLookedUp(target)) return []
  const lines = ['parse-resolv-conf', 'accepted_payload_size 4096', 'hold valid 10s']
  return [
    '# The service is resolved again when its DNS record expires.',
    ...section('resolvers continuation_dns', lines),
  ]
}

function routeBackend(site: Site): string[] {
  return section(`backend continuation_point ${FROM}`, [
    '# If TLS ends in front of HAProxy, write https instead of the expression.',
    'http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]',
    '# serve trusts HAProxy: a client’s own fields must not get through.',
    'http-request del-header X-Forwarded-For',
    ...(site.clientAddress === 'omit' ? [] : ['option forwardfor']),
    'http-request del-header X-Forwarded-Host',
    'http-request del-header Forwarded',
    ...REQUEST_ID,
    ...toOnce(site),
  ])
}

/** Only paths that begin like a point get here. */
function forwardBackend(site: Site, target: ForwardTarget, origin: SiteOrigin): string[] {
  const { url, points } = origin
  const { bodyBytes } = site
  return section(
    `backend ${backendName(origin)} ${FROM}`,
    separate([
      REFUSALS,
      bodyBytes === undefined
        ? []
        : [`http-request deny deny_status 413 if { req.body_size gt ${bodyBytes} }`],
      [
        '# A client’s own fields of these names are never forwarded, in any spelling.',
        `http-request del-header '${aliasPattern(site)}' -m reg`,
        ...requestRemoved(site).map((name) => `http-request del-header ${name}`),
        '# A proxy of the service would remove what a client’s Connection names, such as the fields set here.',
        'http-request del-header Connection',
        `http-request set-header Host ${target.authority}`,
        `http-request set-header X-Continuation-Origin ${url}`,
        ...listKeyNames([origin]).flatMap((key) => keyRules(key, points)),
        ...forwardedFor(site),
        ...REQUEST_ID,
      ],
      [
        '# The path as received, without the cookie path; of an absolute URL only the path.',
        'http-request set-uri %[pathq] unless { url -m beg / }',
        ...points
          .filter(({ strippedPath }) => strippedPath !== '')
          .map(({ path, strippedPath }) => {
            const kept = quoteRegex(path.slice(strippedPath.length))
            return String.raw`http-request replace-path '^${quoteRegex(strippedPath)}(${kept}.*)$' '\1'`
          }),
      ],
      [
        '# These would affect more of the site than this response.',
        ...RESPONSE_REMOVED.map((name) => `http-response del-header ${name}`),
        '# A response without Cache-Control must not be cached.',
        `http-response set-header Cache-Control '${NOT_STORED}' unless { res.hdr(cache-control) -m found }`,
      ],
      toOnce(site),
    ]),
  )
}

/** The key of those points that have it; the variable is read for each request, so quotes in a key don't matter. */
function keyRules(key: string, points: SiteOrigin['points']): string[] {
  const paths = points.filter(({ keyName }) => keyName === key).map(({ path }) => quoteRegex(path))
  const condition = `{ path -m reg '^(?:${paths.join('|')})' }`
  return [
    `http-request return status 503 if ${condition} !{ env(${key}) -m len gt 0 }`,
    `http-request set-header X-Widget-Key %[env(${key})] if ${condition}`,
  ]
}

function forwardedFor({ clientAddress, trustedBlocks }: Site): string[] {
  if (clientAddress === 'omit') return []
  const blocks = trustedBlocks.join(' ')
  return [
    '# Only a trusted proxy in front may set the client’s address (listen.trustedProxies).',
    `http-request del-header X-Forwarded-For${blocks === '' ? '' : ` unless { src ${blocks} }`}`,
    'option forwardfor',
  ]
}

/** The last lines of a backend, which lead to `onceSection`. */
function toOnce(site: Site): string[] {
  return ['option http-server-close', `server once ${onceAddress(site)}`]
}

/**
 * When the service closes a connection without an answer, HAProxy answers only if the request was the first on a
 * connection: on the client's in versions before April 2024 (3fc38593d, backported), on the one to the service since then.
 * Otherwise it resets the stream as refused (HTTP/2) or closes the connection (HTTP/1.1), and browsers send the request
 * again, a POST too. With a connection inside HAProxy for every request one of the two always answers, and connections to
 * the service can be kept. It costs HAProxy twice the processor time for a request: 0.19 ms instead of 0.09 (2.6, TLS).
 */
function onceSection(site: Site): string[] {
  const { target } = site
  return [
    '# Every request gets here on a connection of its own, so it counts twice towards maxconn. When the service closes a',
    '# connection without an answer, HAProxy answers 502 only to the first request on a connection. Clients send others',
    '# again, a POST too.',
    ...section(`listen continuation_once ${FROM}`, [
      `bind ${onceAddress(site)}`,
      ...LOGGING,
      'http-reuse always',
      ...(target.kind === 'route' ? [`server serve ${target.host}:${target.port}`] : server(target)),
    ]),
  ]
}

const FROM = 'from continuation_point'

/** Before anything is matched. */
const REFUSALS: readonly string[] = [
  '# TRACE would echo httpOnly cookies.',
  'http-request return status 405 if METH_TRACE or METH_CONNECT',
  '# Refused, since servers interpret them differently: dot segments in any encoding, encoded controls, backslashes.',
  String.raw`http-request deny deny_status 400 if { path -m reg -i '(?:/|%2f|%5c)(?:\.|%2e)(?:\.|%2e)?(?:/|%2f|%5c|$)' }`,
  String.raw`http-request deny deny_status 400 if { path -m reg -i '\x5c|%0a|%0d|%00' }`,
  `http-request deny deny_status 400 if { url -m sub '#' }`,
]

const REQUEST_ID = [
  '# A new id for each request, whatever the client sent.',
  'http-request set-header X-Request-Id %[uuid()]',
]

/** The frontend logs each request as the site wants it, but without the id. */
const LOGGING = [
  '# A second line for each request, with its id.',
  'log global',
  'http-request set-var(txn.continuation_id) req.hdr(X-Request-Id)',
  'log-format "continuation-point %[var(txn.continuation_id)] %HM %ST %Ta"',
]

/**
 * A loopback address that depends on the site and its target: HAProxy opens its ports with SO_REUSEPORT, so two HAProxy
 * processes on a machine with the same address here would receive each other's requests. Not an abstract socket: with
 * those HAProxy 2.6 occasionally crashes during a reload.
 */
function onceAddress({ origins, target }: Site): string {
  const whose = JSON.stringify([origins.map(({ url }) => url), target.kind, target.host, target.port])
  const hash = toHash(whose)
  const part = (from: number, bits: number) => Number(BigInt.asUintN(bits, hash >> BigInt(from)))
  // Not 127.0.x.x, which other programs use, and a port below those that Linux gives to clients.
  return `127.${64 + part(0, 6)}.${part(6, 8)}.${part(14, 8)}:${16_384 + part(22, 14)}`
}

/** 64-bit FNV-1a: makes collisions unlikely, and is no protection against deliberate ones. */
function toHash(text: string): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash
}

function server(target: ForwardTarget): string[] {
  const { scheme, host, port, hostKind, caFile } = target
  const address = host === 'localhost' ? '127.0.0.1' : host
  const lookedUp = isLookedUp(target) ? ' resolvers continuation_dns init-addr none resolve-prefer ipv4' : ''
  if (scheme === 'http') return [`server service ${address}:${port}${lookedUp}`]
  const name = hostKind === 'address' ? '' : ` sni str(${host}) verifyhost ${host}`
  return [
    '# Verifies the certificate and its name; HAProxy does neither by default.',
    `server service ${address}:${port} ssl verify required ca-file "${caFile}" ssl-min-ver TLSv1.2${name}${lookedUp}`,
  ]
}

function isLookedUp(target: Site['target']): boolean {
  return target.kind === 'forward' && target.hostKind === 'name' && target.host !== 'localhost'
}

export function backendName({ url }: SiteOrigin): string {
  return `continuation_${url.replace('://', '_').replace(/[^A-Za-z0-9._-]/g, '_')}`
}

/** A keyword with its name, and its lines. */
function section(head: string, lines: readonly string[]): string[] {
  return [head, ...indent(lines, '    ')]
}
