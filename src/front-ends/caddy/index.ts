import { NOT_STORED } from '../../forward/field-rules.ts'
import { block, type Explained, explain, quoteRegex, toDuration } from '../config-text.ts'
import { type ForwardTarget, type RouteTarget, SYSTEM_CA_FILE } from '../forward-target.ts'
import { groupByHost, type SiteHost, type SiteOrigin, toSlug } from '../origins.ts'
import { type FrontEnd, keyStep, type Part, pointPart, removalPart } from '../part.ts'
import type { Site } from '../site.ts'

export const caddy: FrontEnd = {
  name: 'caddy',
  title: 'Caddy',
  parts: renderParts,
  home: { folder: '/etc/caddy', file: 'Caddyfile' },
  apply: (folder) =>
    `caddy validate --config ${folder}/Caddyfile && caddy reload --config ${folder}/Caddyfile`,
  undo: 'remove the import',
}

/** What the Caddyfile of a site imports: a file for each host, and one with what all points have in common. */
function renderParts(site: Site): readonly Part[] {
  const { target, origins } = site
  const keys = keyStep(
    'Caddy reads the widget keys from its environment, which systemctl edit caddy sets',
    site,
    (keyName) => `Environment=${keyName}=…`,
  )
  if (target.kind === 'route') {
    return [
      ...groupByHost(origins).map(routeHost),
      pointPart(`${FOLDER}/${POINT}`, site, keys, routeLines(target)),
    ]
  }
  return [
    ...origins.map(forwardHost),
    pointPart(`${FOLDER}/${POINT}`, site, keys, forwardLines(site, target)),
    removalPart(`${FOLDER}/${SERVICE}`, site, {
      request: (name) => `header_up -${name}`,
      response: (name) => `header_down -${name}`,
    }),
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
  const isIts = `host ${host.replace(/^\[(.*)\]$/, '$1')}`
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
  return caddyBlock(`reverse_proxy ${host}:${port}`, [
    ...explain([
      REQUEST_ID,
      ['header_up -X-Forwarded-Host', 'serve would believe a visitor’s own'],
      ['header_up -Forwarded', 'the same'],
      FLUSH,
    ]),
    ...caddyBlock('transport http', explain([NO_GZIP])),
  ])
}

function forwardLines({ connectMs, headersMs, bodyBytes }: Site, target: ForwardTarget): string[] {
  const { scheme, host, port, authority, caFile } = target
  return [
    '# Refused, since servers interpret them differently: dot segments in any encoding, encoded controls.',
    `@continuation_refused vars_regexp {http.request.orig_uri} \`(?i)${DOTS_REFUSED}\``,
    'respond @continuation_refused 400',
    '# It would echo httpOnly cookies.',
    '@continuation_trace method TRACE',
    'respond @continuation_trace 405',
    ...(bodyBytes === undefined ? [] : caddyBlock('request_body', [`max_size ${bodyBytes}`])),
    ...explain([
      ['request_header -Upgrade', 'no WebSockets'],
      [`header ?Cache-Control "${NOT_STORED}"`, 'where the service sends none'],
    ]),
    ...caddyBlock(`reverse_proxy ${scheme}://${host}:${port}`, [
      ...explain([
        [`header_up Host ${authority}`, 'the service'],
        ['header_up X-Widget-Key {vars.continuation_key}', 'whose session it is'],
        ['header_up X-Continuation-Origin {vars.continuation_origin}', 'where it takes place'],
        REQUEST_ID,
        FLUSH,
        [`import ${SERVICE}`, 'headers that do not pass'],
      ]),
      ...caddyBlock(
        'transport http',
        explain([
          NO_GZIP,
          [`dial_timeout ${toDuration(connectMs)}`, 'timeouts.connect'],
          [`response_header_timeout ${toDuration(headersMs)}`, 'timeouts.headers'],
          // Caddy refuses it for plain http.
          scheme === 'https' &&
            caFile !== SYSTEM_CA_FILE && [`tls_trusted_ca_certs "${caFile}"`, 'service.ca'],
        ]),
      ),
    ]),
  ]
}

function caddyBlock(head: string, lines: readonly string[]): string[] {
  return block(head, lines, '\t')
}

const REQUEST_ID: Explained = ['header_up X-Request-Id {http.request.uuid}', 'a new one, not the visitor’s']
const FLUSH: Explained = ['flush_interval -1', 'a response goes on as it comes']
const NO_GZIP: Explained = ['compression off', 'else Caddy asks for gzip, and decompresses it']
const FOLDER = 'continuation-point'
const POINT = 'point.caddy'
const SERVICE = 'service.caddy'
/** The part of an absolute target before its path. */
const ORIGIN = '^(?:https?://[^/?]*)?'
/** What servers interpret differently: dot segments in any encoding, backslashes, encoded controls. */
const DOTS_REFUSED = String.raw`^[^?]*(?:(?:/|%2f|%5c)(?:\.|%2e)(?:\.|%2e)?(?:/|%2f|%5c|\?|$)|\x5c|%0a|%0d|%00)`
