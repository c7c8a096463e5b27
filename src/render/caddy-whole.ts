import { NOT_STORED } from '../forward/field-law.ts'
import { RESPONSE_REMOVED, requestRemoved, underscoreAliases } from './fields.ts'
import type { ForwardTarget } from './forward-target.ts'
import { block, indent, separate } from './indent.ts'
import { type SiteOrigin, type SitePoint, toCertificateFile } from './origins.ts'
import { quoteRegex } from './quote.ts'
import { type Site, toPurpose, toTargetUrl } from './site.ts'

/** A complete Caddyfile, for a machine where Caddy has no other sites. */
export function renderCaddy(site: Site): string {
  // On a port with TLS an unknown name has no certificate, so its handshake fails.
  const plainOrigins = site.origins.filter(({ scheme }) => scheme === 'http')
  const plainPorts = [...new Set(plainOrigins.map(({ port }) => port))]
  const lines = separate([
    [...preface(site), ...globalOptions(site)],
    ...plainPorts.map((port) => ['# Any other host.', ...caddyBlock(`http://:${port}`, ['respond 421'])]),
    ...site.origins.map((origin) => siteBlock(site, origin)),
  ])
  return `${lines.join('\n')}\n`
}

function preface(site: Site): string[] {
  return [
    `# ${toPurpose('Caddy', site)}`,
    '#',
    '# A complete Caddyfile. Check it with: caddy validate --config FILE. If Caddy already serves the site, omit',
    '# --whole. Caddy gets the certificates of points on https by itself; with certificates of your own, fill in the tls lines.',
    ...(site.target.kind === 'route'
      ? []
      : ['#', '# The widget keys are read from the environment; without its key a point answers 503.']),
  ]
}

function globalOptions({ headerBytes, idleMs }: Site): string[] {
  const servers = caddyBlock('servers', [
    '# Every request carries cookies, so a request head may be large.',
    `max_header_size ${headerBytes}`,
    ...caddyBlock('timeouts', [`read_header ${idleMs}ms`]),
  ])
  const logs = caddyBlock('log', [
    '# An error of a request is logged with its query, its Referer and the address.',
    'exclude http.log.error',
  ])
  return ['{', ...indent([...logs, ...servers], '\t'), '}']
}

function siteBlock(site: Site, origin: SiteOrigin): string[] {
  return [
    `# ${origin.url}`,
    ...caddyBlock(`${origin.scheme}://${origin.host}:${origin.port}`, [
      ...(origin.scheme === 'http'
        ? []
        : [`# tls ${toCertificateFile(origin, 'crt')} ${toCertificateFile(origin, 'key')}`]),
      ...caddyBlock(
        'route',
        separate([
          refusals(origin),
          ...origin.points.map((point, index) => pointRoute(site, origin, point, index + 1)),
          ['respond 404'],
        ]),
      ),
    ]),
  ]
}

/** Caddy's path matcher decodes, ignores case and cleans the path; these matchers use the path as received. */
function refusals({ authorities }: SiteOrigin): string[] {
  const names = authorities.map(quoteRegex).join('|')
  return [
    '# Caddy selects a site only by name; the port of Host must match too.',
    `@other_host not header_regexp Host \`(?i)^(?:${names})$\``,
    'respond @other_host 421',
    '# TRACE would echo httpOnly cookies.',
    '@trace method TRACE CONNECT',
    'respond @trace 405',
    '# Refused, since servers interpret them differently: dot segments in any encoding, encoded controls.',
    `@refused vars_regexp {http.request.orig_uri} \`${CADDY_REFUSED}\``,
    'respond @refused 400',
  ]
}

function pointRoute(site: Site, origin: SiteOrigin, point: SitePoint, number: number): string[] {
  const bare = quoteRegex(point.path.slice(0, -1))
  return [
    ...caddyBlock(`@bare_${number}`, [
      'method GET HEAD',
      `vars_regexp bare_${number} {http.request.orig_uri} \`${ORIGIN}(${bare})(\\?.*)?$\``,
    ]),
    `redir @bare_${number} "{re.bare_${number}.1}/{re.bare_${number}.2}" 308`,
    `@point_${number} vars_regexp {http.request.orig_uri} \`${ORIGIN}${quoteRegex(point.path)}\``,
    ...caddyBlock(
      `handle @point_${number}`,
      site.target.kind === 'route' ? route(site, origin) : forward(site, site.target, origin, point),
    ),
  ]
}

function route(site: Site, { scheme }: SiteOrigin): string[] {
  return [
    ...bodyLimit(site),
    '# serve uses these, and trusts them only from its trusted proxies.',
    'request_header -Forwarded',
    'request_header -X-Forwarded-Port',
    'request_header -X-Forwarded-Server',
    ...caddyBlock(`reverse_proxy ${toTargetUrl(site.target)}`, [
      'header_up X-Forwarded-Host {http.request.hostport}',
      `header_up X-Forwarded-Proto ${scheme}`,
      ...connection(site),
    ]),
  ]
}

function forward(site: Site, target: ForwardTarget, { url }: SiteOrigin, point: SitePoint): string[] {
  const { keyName = '', strippedPath } = point
  const { scheme, host, port, authority } = target
  return [
    `@no_key expression \`{env.${keyName}} == ""\``,
    'respond @no_key 503',
    ...bodyLimit(site),
    '# A client’s own fields of these names are never forwarded.',
    ...underscoreAliases(site).map((name) => `request_header -${name}`),
    'request_header -Upgrade',
    ...(strippedPath === ''
      ? []
      : [
          '# Not strip_prefix, which would merge slashes in the rest.',
          `uri path_regexp \`^${quoteRegex(strippedPath)}/\` /`,
        ]),
    '# A response without Cache-Control must not be cached.',
    `header ?Cache-Control "${NOT_STORED}"`,
    ...caddyBlock(`reverse_proxy ${scheme}://${host}:${port}`, [
      `header_up Host ${authority}`,
      `header_up X-Widget-Key {env.${keyName}}`,
      `header_up X-Continuation-Origin ${url}`,
      ...requestRemoved(site).map((name) => `header_up -${name}`),
      '# These would affect more of the site than this response.',
      ...RESPONSE_REMOVED.map((name) => `header_down -${name}`),
      ...connection(site),
    ]),
  ]
}

export function bodyLimit({ bodyBytes }: Site): string[] {
  return bodyBytes === undefined ? [] : caddyBlock('request_body', [`max_size ${bodyBytes}`])
}

function connection({ target, trustedBlocks, clientAddress, connectMs, headersMs }: Site): string[] {
  const blocks = trustedBlocks.join(' ')
  return [
    ...(clientAddress === 'omit' ? ['header_up -X-Forwarded-For'] : []),
    ...(clientAddress === 'append' && blocks !== ''
      ? [
          '# Only a trusted proxy in front may set the client’s address (listen.trustedProxies).',
          `trusted_proxies ${blocks}`,
        ]
      : []),
    'flush_interval -1',
    ...caddyBlock('transport http', [
      'versions 1.1',
      ...NO_GZIP,
      `dial_timeout ${connectMs}ms`,
      `response_header_timeout ${headersMs}ms`,
      'max_response_header 65536',
      ...(target.kind === 'forward' && target.scheme === 'https'
        ? ['tls', `tls_server_name ${target.host}`, `tls_trusted_ca_certs "${target.caFile}"`]
        : []),
    ]),
  ]
}

export function caddyBlock(head: string, lines: readonly string[]): string[] {
  return block(head, lines, '\t')
}

export const NO_GZIP = ['# Otherwise Caddy requests gzip and decompresses it.', 'compression off']
/** The part of an absolute target before its path. */
export const ORIGIN = '^(?:https?://[^/?]*)?'
export const CADDY_REFUSED = String.raw`(?i)^[^?]*(?:(?:/|%2f|%5c)(?:\.|%2e)(?:\.|%2e)?(?:/|%2f|%5c|\?|$)|\x5c|%0a|%0d|%00)`
