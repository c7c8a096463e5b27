import { CLIENT_ADDRESS, HOP_BEFORE, NOT_STORED } from '../forward/field-law.ts'
import { CADDY_REFUSED, ORIGIN } from './caddy-whole.ts'
import { RESPONSE_REMOVED, underscoreAliases } from './fields.ts'
import { type ForwardTarget, SYSTEM_CA_FILE } from './forward-target.ts'
import { indent } from './indent.ts'
import type { SiteOrigin, SitePoint } from './origins.ts'
import type { Part } from './part.ts'
import { quoteRegex } from './quote.ts'
import type { RouteTarget } from './route-target.ts'
import type { Site } from './site.ts'

/** What the Caddyfile of a site imports: a file for each host, and one with what all points have in common. */
export function toCaddyParts(site: Site): readonly Part[] {
  const { target } = site
  return target.kind === 'route'
    ? [...routeHosts(site), routePoint(target)]
    : [...site.origins.map(forwardHost), forwardPoint(site, target)]
}

/** `serve` itself distinguishes the origins of a host. */
function routeHosts({ origins }: Site): Part[] {
  const hosts = [...new Set(origins.map(({ host }) => host))]
  return hosts.map((host) => {
    const points = origins.filter((origin) => origin.host === host).flatMap((origin) => origin.points)
    const paths = [...new Set(points.map(({ path }) => path))]
    return hostPart(
      host,
      host,
      paths.flatMap((path, index) => handle(path, index, [])),
    )
  })
}

function forwardHost({ url, points }: SiteOrigin): Part {
  return hostPart(
    url,
    url.replace(/^https:\/\//, '').replace('://', '-'),
    points.flatMap((point, index) => handle(point.path, index, forwardFields(url, point))),
  )
}

function forwardFields(url: string, { keyName = '', strippedPath }: SitePoint): string[] {
  return [
    `vars continuation_origin ${url}`,
    `vars continuation_key {env.${keyName}}`,
    ...(strippedPath === '' ? [] : [`uri path_regexp \`^${quoteRegex(strippedPath)}/\` /`]),
  ]
}

function hostPart(name: string, slug: string, lines: readonly string[]): Part {
  const file = `${FOLDER}/${slug.replace(/[^A-Za-z0-9.-]/g, '_')}.caddy`
  return {
    file,
    about: `The continuation points of ${name}`,
    steps: [{ what: `At the top of the site block of ${name}`, lines: [`import ${file}`] }],
    lines,
  }
}

/** Caddy orders longer paths first, and otherwise keeps the written order, so a point comes before the site. */
function handle(path: string, index: number, lines: readonly string[]): string[] {
  const inside = indent([...lines, `import ${POINT}`], '\t')
  if (/^[A-Za-z0-9/_.~-]+$/.test(path)) return [`handle ${path}* {`, ...inside, '}']
  const name = `@continuation_point_${index + 1}`
  return [
    `${name} vars_regexp {http.request.orig_uri} \`${ORIGIN}${quoteRegex(path)}\``,
    `handle ${name} {`,
    ...inside,
    '}',
  ]
}

function routePoint({ host, port }: RouteTarget): Part {
  return {
    file: `${FOLDER}/${POINT}`,
    about: 'For every point: forwards to `continuation-point serve`',
    steps: [],
    lines: [
      `reverse_proxy ${host}:${port} {`,
      ...indent(
        [
          '# serve trusts Caddy, which sets X-Forwarded-* itself: a client’s own must not get through.',
          'header_up -Forwarded',
          ...PASS_THROUGH,
          'transport http {',
          ...indent(NO_GZIP, '\t'),
          '}',
        ],
        '\t',
      ),
      '}',
    ],
  }
}

function forwardPoint(site: Site, target: ForwardTarget): Part {
  const { scheme, host, port, authority, caFile } = target
  const { bodyBytes, clientAddress, connectMs, headersMs } = site
  return {
    file: `${FOLDER}/${POINT}`,
    about: 'For every point: forwards to the service, with the required fields',
    steps: [
      {
        what: 'Caddy reads the widget keys from its environment, which systemctl edit caddy sets',
        lines: [...new Set(site.origins.flatMap(({ points }) => points).map(({ keyName }) => keyName))].map(
          (keyName) => `Environment=${keyName}=…`,
        ),
      },
    ],
    lines: [
      '@continuation_refused {',
      '\t# Refused, since servers interpret them differently: dot segments in any encoding, encoded controls.',
      `\tvars_regexp {http.request.orig_uri} \`${CADDY_REFUSED}\``,
      '}',
      'respond @continuation_refused 400',
      '# It would echo httpOnly cookies.',
      '@continuation_trace method TRACE',
      'respond @continuation_trace 405',
      '@continuation_no_key vars continuation_key ""',
      'respond @continuation_no_key 503',
      ...(bodyBytes === undefined ? [] : ['request_body {', `\tmax_size ${bodyBytes}`, '}']),
      '# A client’s own fields of these names are never forwarded.',
      ...['Upgrade', ...underscoreAliases(site)].map((name) => `request_header -${name}`),
      '# A response without Cache-Control must not be cached.',
      `header ?Cache-Control "${NOT_STORED}"`,
      `reverse_proxy ${scheme}://${host}:${port} {`,
      ...indent(
        [
          `header_up Host ${authority}`,
          'header_up X-Widget-Key {vars.continuation_key}',
          'header_up X-Continuation-Origin {vars.continuation_origin}',
          ...[...HOP_BEFORE, ...(clientAddress === 'omit' ? OMITTED : [])].map(
            (name) => `header_up -${name}`,
          ),
          '# These would affect the whole origin of the site, not only this response.',
          ...RESPONSE_REMOVED.filter((name) => name !== CADDY_REMOVES).map((name) => `header_down -${name}`),
          ...PASS_THROUGH,
          'transport http {',
          ...indent(
            [
              ...NO_GZIP,
              `dial_timeout ${connectMs}ms`,
              `response_header_timeout ${headersMs}ms`,
              ...(caFile === SYSTEM_CA_FILE ? [] : [`tls_trusted_ca_certs "${caFile}"`]),
            ],
            '\t',
          ),
          '}',
        ],
        '\t',
      ),
      '}',
    ],
  }
}

const FOLDER = 'continuation-point'
const POINT = 'point.caddy'
/** Including the client's address that Caddy adds. */
const OMITTED = ['X-Forwarded-For', ...CLIENT_ADDRESS]
/** Removed by Caddy by default. */
const CADDY_REMOVES = 'Alt-Svc'
const PASS_THROUGH = ['flush_interval -1']
const NO_GZIP = ['# Otherwise Caddy requests gzip and decompresses it.', 'compression off']
