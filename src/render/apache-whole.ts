import { NOT_STORED } from '../forward/field-law.ts'
import { RESPONSE_REMOVED, ROUTE_REMOVED, requestRemoved, underscoreAliases } from './fields.ts'
import type { ForwardTarget } from './forward-target.ts'
import { element, separate } from './indent.ts'
import { type SiteOrigin, type SitePoint, toCertificateFile } from './origins.ts'
import { quoteRegex } from './quote.ts'
import { type Site, toPurpose, toTargetUrl } from './site.ts'

/** A complete apache2.conf, for a machine where httpd has no other sites. */
export function renderApache(site: Site): string {
  const ports = [...new Set(site.origins.map(({ port }) => port))]
  const lines = separate([
    preface(site),
    modules,
    server(site),
    ...ports.map((port) => [
      `Listen ${port}`,
      '# Any other host.',
      ...element(`VirtualHost *:${port}`, [
        ...tlsLines(site.origins.find((origin) => origin.port === port)),
        'RewriteEngine On',
        'RewriteRule "^" "-" [R=421,L]',
      ]),
    ]),
    ...site.origins.map((origin) => toVirtualHost(site, origin)),
  ])
  return `${lines.join('\n')}\n`
}

function preface(site: Site): string[] {
  return [
    `# ${toPurpose('Apache httpd', site)}`,
    '#',
    '# A complete apache2.conf. Check it with: apache2 -t -f FILE. If httpd already serves the site, omit --whole.',
    ...(site.target.kind === 'route'
      ? []
      : [
          '#',
          '# The widget keys are read from the environment (on Debian: export NAME=… in /etc/apache2/envvars).',
          '# Without its key a point answers 503.',
        ]),
  ]
}

const modules = [
  'mpm_event',
  'authz_core',
  'headers',
  'proxy',
  'proxy_http',
  'reqtimeout',
  'rewrite',
  'setenvif',
  'socache_shmcb',
  'ssl',
].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)

function server({ headerBytes, headersMs, idleMs, accessLog }: Site): string[] {
  const idleSeconds = Math.max(1, Math.ceil(idleMs / 1000))
  return [
    'ServerRoot /etc/apache2',
    'ServerName continuation-point.invalid',
    'User www-data',
    'Group www-data',
    'PidFile /run/apache2/apache2.pid',
    '# Messages below crit contain the client’s address and the Referer.',
    'ErrorLog /var/log/apache2/error.log',
    'LogLevel crit',
    ...(accessLog
      ? ['# Logs no query, no cookie, no address.', 'CustomLog /var/log/apache2/access.log "%t %>s %m %v %D"']
      : []),
    'ServerTokens Prod',
    '# TRACE would echo httpOnly cookies.',
    'TraceEnable Off',
    '# Every request carries cookies, so a request head may be large.',
    `LimitRequestLine ${headerBytes}`,
    `LimitRequestFieldSize ${headerBytes}`,
    'LimitRequestFields 256',
    `Timeout ${idleSeconds}`,
    `RequestReadTimeout header=${idleSeconds}`,
    `ProxyTimeout ${Math.max(1, Math.ceil(headersMs / 1000))}`,
    'ProxyVia Off',
    'ProxyRequests Off',
  ]
}

/** The virtual host of one origin; its rules use the request line, which holds the path as received. */
function toVirtualHost(site: Site, origin: SiteOrigin): string[] {
  const { target } = site
  const names = origin.authorities.map(quoteRegex).join('|')
  return [
    `# ${origin.url}`,
    ...element(
      `VirtualHost *:${origin.port}`,
      separate([
        [...serverName(origin), ...tlsLines(origin)],
        ['AllowEncodedSlashes NoDecode', 'MergeSlashes Off', 'LimitRequestBody 0'],
        [
          'RewriteEngine On',
          '# httpd selects a virtual host only by name; the port of Host must match too.',
          ...rule(`"%{HTTP_HOST}" "!^(?:${names})$" [NC]`, 'R=421,L'),
          '# Refused, since servers interpret them differently: dot segments in any encoding, encoded controls, backslashes.',
          ...rule(`"%{THE_REQUEST}" "${APACHE_REFUSED}" [NC]`, 'R=400,L'),
        ],
        bodyLimit(site),
        ...origin.points.map((point, index) => pointRules(site, point, origin, index + 1)),
        ['RewriteRule "^" "-" [R=404,L]'],
        target.kind === 'route' ? route(site, origin) : forward(site, target, origin),
      ]),
    ),
  ]
}

/** On a port with TLS every virtual host needs a certificate, including the one for unknown names. */
function tlsLines(origin: SiteOrigin | undefined): string[] {
  if (origin?.scheme !== 'https') return []
  return [
    '# TO FILL IN: your certificate with its chain, and its key.',
    'SSLEngine On',
    `SSLCertificateFile ${toCertificateFile(origin, 'crt')}`,
    `SSLCertificateKeyFile ${toCertificateFile(origin, 'key')}`,
  ]
}

/** httpd accepts no IPv6 literal as a ServerName, and compares one without its brackets. */
function serverName({ host }: SiteOrigin): string[] {
  if (!host.startsWith('[')) return [`ServerName ${host}`]
  return ['ServerName continuation-point.invalid', `ServerAlias ${host} ${host.slice(1, -1)}`]
}

function rule(condition: string, flags: string): string[] {
  return [`RewriteCond ${condition}`, `RewriteRule "^" "-" [${flags}]`]
}

/** LimitRequestBody does not apply to forwarded requests. */
function bodyLimit({ bodyBytes }: Site): string[] {
  if (bodyBytes === undefined) return []
  return rule(`expr "%{HTTP:Content-Length} -gt ${bodyBytes}"`, 'R=413,L')
}

/**
 * Only the request line holds the path as received; everything else in httpd is decoded. httpd appends the query itself,
 * unchanged: if a pattern added it, httpd would reject it as smuggled (AH10508).
 */
function pointRules(site: Site, point: SitePoint, { url }: SiteOrigin, number: number): string[] {
  const { path, strippedPath, keyName = '' } = point
  const { target } = site
  const stripped = target.kind === 'route' ? '' : strippedPath
  const kept = quoteRegex(path.slice(stripped.length))
  return [
    `RewriteCond "%{THE_REQUEST}" "^(?:GET|HEAD) (${quoteRegex(path.slice(0, -1))})(?:\\?\\S*)? HTTP/"`,
    `RewriteRule "^" "${url}%1/" [R=308,NE,L]`,
    ...(target.kind === 'route'
      ? []
      : [
          `RewriteCond "%{THE_REQUEST}" "${targetOf(quoteRegex(path))}"`,
          `RewriteCond expr "-z osenv('${keyName}')"`,
          'RewriteRule "^" "-" [R=503,L]',
        ]),
    `RewriteCond "%{THE_REQUEST}" "${targetOf(`${quoteRegex(stripped)}(${kept}[^?\\s]*)`)}"`,
    `RewriteRule "^" "${toTargetUrl(target)}%1" [P,NE,E=CONTINUATION_POINT_${number}:1]`,
  ]
}

function targetOf(pattern: string): string {
  return `^\\S+ (?:https?://[^/ ]*)?${pattern}`
}

function route(site: Site, { scheme }: SiteOrigin): string[] {
  return [
    '# serve uses these, and trusts them only from its trusted proxies.',
    'ProxyPreserveHost On',
    'ProxyAddHeaders Off',
    ...CONNECTION_OPTIONS,
    ...ROUTE_REMOVED.map((name) => `RequestHeader unset ${name}`),
    `RequestHeader set X-Forwarded-Proto "${scheme}"`,
    ...forwardedFor(site),
    ...worker(site),
  ]
}

function forward(site: Site, target: ForwardTarget, { url, points }: SiteOrigin): string[] {
  return separate([
    [
      '# A client’s own fields of these names are never forwarded.',
      'ProxyPreserveHost Off',
      'ProxyAddHeaders Off',
      ...[...underscoreAliases(site), ...requestRemoved(site)].map((name) => `RequestHeader unset ${name}`),
      ...CONNECTION_OPTIONS,
      `RequestHeader set X-Continuation-Origin "${url}"`,
      ...points.map(
        ({ keyName = '' }, index) =>
          `RequestHeader set X-Widget-Key "expr=%{osenv:${keyName}}" env=CONTINUATION_POINT_${index + 1}`,
      ),
      ...forwardedFor(site),
    ],
    target.scheme === 'http' ? [] : tls(target),
    worker(site),
    RESPONSE_LINES,
  ])
}

function forwardedFor({ clientAddress, trustedBlocks }: Site): string[] {
  if (clientAddress === 'omit') return ['RequestHeader unset X-Forwarded-For']
  const tests = trustedBlocks.map((block) => `-R '${block}'`)
  return [
    '# Only a trusted proxy in front may set the client’s address (listen.trustedProxies).',
    ...(tests.length === 0 ? [] : [`SetEnvIfExpr "${tests.join(' || ')}" CONTINUATION_TRUSTED_PEER`]),
    'RequestHeader unset X-Forwarded-For env=!CONTINUATION_TRUSTED_PEER',
    'RequestHeader append X-Forwarded-For "expr=%{REMOTE_ADDR}"',
  ]
}

function tls({ caFile }: ForwardTarget): string[] {
  return [
    '# The certificate is verified against the name; httpd does not do that by default.',
    'SSLProxyEngine On',
    'SSLProxyVerify require',
    'SSLProxyVerifyDepth 8',
    'SSLProxyCheckPeerName On',
    'SSLProxyCheckPeerExpire On',
    'SSLProxyProtocol -all +TLSv1.2 +TLSv1.3',
    `SSLProxyCACertificateFile "${caFile}"`,
  ]
}

function worker({ connectMs, target }: Site): string[] {
  return [
    '# A reused connection would never resolve the name again; a failure must not disable the point for a minute.',
    'ProxyErrorOverride Off',
    ...element(`Proxy "${toTargetUrl(target)}"`, [
      `ProxySet disablereuse=On retry=0 connectiontimeout=${connectMs}ms responsefieldsize=65536`,
    ]),
  ]
}

export const RESPONSE_LINES = [
  '# These would affect more of the site than this response.',
  ...RESPONSE_REMOVED.map((name) => `Header unset ${name}`),
  '# A response without Cache-Control must not be cached.',
  `Header setifempty Cache-Control "${NOT_STORED}"`,
]

export const CONNECTION_OPTIONS = [
  '# httpd removes what Connection lists after fields are set here: a client could remove ours.',
  'RequestHeader edit* Connection "(?i)x-(?:widget-key|continuation-origin|forwarded-[a-z]+)|cookie" ""',
]

export const APACHE_REFUSED = String.raw`^\S+ [^?\s]*(?:(?:/|%2f|%5c)(?:\.|%2e)(?:\.|%2e)?(?:/|%2f|%5c|\?|\s)|\x5c|%0a|%0d|%00|#)`
