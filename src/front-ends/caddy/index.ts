import { NOT_STORED } from '../../forward/field-rules.ts'
import { HOP_BY_HOP_NAMES } from '../../http/hop-by-hop.ts'
import { RESPONSE_REMOVED, requestRemoved, underscoreAliases } from '../fields.ts'
import { type ForwardTarget, type RouteTarget, SYSTEM_CA_FILE } from '../forward-target.ts'
import type { FrontEnd } from '../front-end.ts'
import { block } from '../indent.ts'
import { groupByHost, type SiteHost, type SiteOrigin, toSlug, withoutBrackets } from '../origins.ts'
import { keyStep, type Part, pointPart } from '../part.ts'
import { quoteRegex } from '../quote.ts'
import type { Site } from '../site.ts'

export const caddy: FrontEnd = {
  name: 'caddy',
  title: 'Caddy',
  parts: renderParts,
  home: { folder: '/etc/caddy', file: 'Caddyfile' },
  lastStep: (folder) => ({
    what: 'Then test the config and reload it',
    lines: [`caddy validate --config ${folder}/Caddyfile && caddy reload --config ${folder}/Caddyfile`],
  }),
}

/** What the Caddyfile of a site imports: a file for each host, and one with what all points have in common. */
function renderParts(site: Site): readonly Part[] {
  const { target, origins } = site
  const keys = keyStep(
    'Caddy reads the widget keys from its environment, which systemctl edit caddy sets',
    site,
    (keyName) => `Environment=${keyName}=…`,
  )
  const lines = target.kind === 'route' ? routeLines(target) : forwardLines(site, target)
  return [
    ...(target.kind === 'route' ? groupByHost(origins).map(routeHost) : origins.map(forwardHost)),
    pointPart(`${FOLDER}/${POINT}`, site, keys, lines),
  ]
}

/** `serve` itself distinguishes the origins of a host. */
function routeHost({ host, paths }: SiteHost): Part {
  const lines = paths.flatMap((path, index) =>
    handle(path, nameMatcher(host, index), [], [`import ${POINT}`]),
  )
  return hostPart(host, lines)
}

/** A site block may have several addresses, and then imports several of these. */
function forwardHost({ url, host, points }: SiteOrigin): Part {
  const isIts = `host ${withoutBrackets(host)}`
  const lines = points.flatMap(({ path, strippedPath, keyName }, index) =>
    handle(
      path,
      nameMatcher(url, index),
      [isIts],
      [
        `vars continuation_origin ${url}`,
        `vars continuation_key {env.${keyName}}`,
        ...(strippedPath === '' ? [] : [`uri path_regexp \`^${quoteRegex(strippedPath)}/\` /`]),
        `import ${POINT}`,
      ],
    ),
  )
  return hostPart(url, lines)
}

function hostPart(name: string, lines: readonly string[]): Part {
  const file = `${FOLDER}/${toSlug(name)}.caddy`
  return {
    file,
    about: `The continuation points of ${name}`,
    steps: [{ what: `At the top of the site block of ${name}`, lines: [`import ${file}`] }],
    lines,
  }
}

/** Caddy orders longer paths first, and otherwise keeps the written order, so a point comes before the site. It matches decoded paths. */
function handle(
  path: string,
  name: string,
  matchers: readonly string[],
  inside: readonly string[],
): string[] {
  const isPlain = /^[A-Za-z0-9/_.~-]+$/.test(path)
  if (isPlain && matchers.length === 0) return caddyBlock(`handle ${path}*`, inside)
  const raw = `vars_regexp {http.request.orig_uri} \`${ORIGIN}${quoteRegex(path)}\``
  return [
    ...caddyBlock(name, [...matchers, isPlain ? `path ${path}*` : raw]),
    ...caddyBlock(`handle ${name}`, inside),
  ]
}

/** A block may import several files. */
function nameMatcher(site: string, index: number): string {
  return `@continuation_point_${toSlug(site)}_${index + 1}`
}

function routeLines({ host, port }: RouteTarget): string[] {
  return [
    ...LOGGED_ID,
    ...caddyBlock(`reverse_proxy ${host}:${port}`, [
      SENT_ID,
      '# serve trusts Caddy: a client’s own fields must not get through.',
      'header_up -X-Forwarded-Host',
      'header_up -Forwarded',
      'flush_interval -1',
      ...caddyBlock('transport http', NO_GZIP),
    ]),
  ]
}

function forwardLines(site: Site, target: ForwardTarget): string[] {
  const { scheme, host, port, authority, caFile } = target
  const { connectMs, headersMs, bodyBytes } = site
  // Caddy removes the fields of a hop itself, and Alt-Svc.
  const removed = requestRemoved(site).filter((name) => !HOP_BY_HOP_NAMES.includes(name))
  return [
    ...caddyBlock('@continuation_refused', [
      '# Refused, since servers interpret them differently: dot segments in any encoding, encoded controls.',
      `vars_regexp {http.request.orig_uri} \`(?i)${DOTS_REFUSED}\``,
    ]),
    'respond @continuation_refused 400',
    '# It would echo httpOnly cookies.',
    '@continuation_trace method TRACE',
    'respond @continuation_trace 405',
    '@continuation_no_key vars continuation_key ""',
    'respond @continuation_no_key 503',
    ...(bodyBytes === undefined ? [] : caddyBlock('request_body', [`max_size ${bodyBytes}`])),
    '# A client’s own fields of these names are never forwarded.',
    ...['Upgrade', ...underscoreAliases(site)].map((name) => `request_header -${name}`),
    '# A response without Cache-Control must not be cached.',
    `header ?Cache-Control "${NOT_STORED}"`,
    ...LOGGED_ID,
    ...caddyBlock(`reverse_proxy ${scheme}://${host}:${port}`, [
      `header_up Host ${authority}`,
      'header_up X-Widget-Key {vars.continuation_key}',
      'header_up X-Continuation-Origin {vars.continuation_origin}',
      SENT_ID,
      ...removed.map((name) => `header_up -${name}`),
      '# These would affect more of the site than this response.',
      ...RESPONSE_REMOVED.filter((name) => name !== 'Alt-Svc').map((name) => `header_down -${name}`),
      'flush_interval -1',
      ...caddyBlock('transport http', [
        ...NO_GZIP,
        `dial_timeout ${connectMs}ms`,
        `response_header_timeout ${headersMs}ms`,
        // Caddy refuses it for plain http.
        ...(scheme === 'http' || caFile === SYSTEM_CA_FILE ? [] : [`tls_trusted_ca_certs "${caFile}"`]),
      ]),
    ]),
  ]
}

function caddyBlock(head: string, lines: readonly string[]): string[] {
  return block(head, lines, '\t')
}

const LOGGED_ID = [
  '# A new id for each request, whatever the client sent. The log of the site has it in resp_headers.',
  'header ?X-Request-Id {http.request.uuid}',
]
const SENT_ID = 'header_up X-Request-Id {http.request.uuid}'
const FOLDER = 'continuation-point'
const POINT = 'point.caddy'
const NO_GZIP = ['# Otherwise Caddy requests gzip and decompresses it.', 'compression off']
/** The part of an absolute target before its path. */
const ORIGIN = '^(?:https?://[^/?]*)?'
/** What servers interpret differently: dot segments in any encoding, backslashes, encoded controls. */
const DOTS_REFUSED = String.raw`^[^?]*(?:(?:/|%2f|%5c)(?:\.|%2e)(?:\.|%2e)?(?:/|%2f|%5c|\?|$)|\x5c|%0a|%0d|%00)`
