import { NOT_STORED } from '../../forward/field-rules.ts'
import { RESPONSE_REMOVED, ROUTE_REMOVED, requestRemoved } from '../fields.ts'
import type { ForwardTarget } from '../forward-target.ts'
import type { FrontEnd } from '../front-end.ts'
import { type SiteOrigin, type SitePoint, toSlug, withoutBrackets } from '../origins.ts'
import type { Part } from '../part.ts'
import { type Site, toWaitMs } from '../site.ts'
import { renderYaml, type Yaml } from '../yaml.ts'

export const envoy: FrontEnd = {
  name: 'envoy',
  title: 'Envoy',
  output:
    'Routes, a cluster and options of the connection manager to paste into a bootstrap configuration, for Envoy 1.28 or later.',
  gaps: [
    'Field names arrive in lower case.',
    'Every field with an underscore in its name is dropped.',
    'limits.bodyBytes applies only to bodies with a Content-Length.',
    'X-Forwarded-For of a client is replaced; to trust a proxy in front, set xff_num_trusted_hops.',
    'Envoy adds x-envoy fields and x-request-id, unless the site switches them off; from a private address it keeps a client’s id.',
  ],
  parts: renderParts,
  lastStep: () => ({
    what: 'Paste them where the first line of each says, then test the config and restart Envoy',
    lines: ['envoy --mode validate -c /etc/envoy/envoy.yaml'],
  }),
}

/** Envoy has no include: routes and a cluster to paste, and options of the connection manager. */
function renderParts(site: Site): readonly Part[] {
  return [
    ...site.origins.map((origin) => ({
      file: `continuation-point/${toSlug(origin.url)}-routes.yaml`,
      about: `The continuation points of ${origin.url}; paste it at the beginning of its routes`,
      steps: [],
      lines: renderYaml(renderRoutes(site, origin)),
    })),
    {
      file: 'continuation-point/cluster.yaml',
      about: 'The cluster of every point; paste it into static_resources.clusters',
      steps: [],
      lines: renderYaml([renderCluster(site)]),
    },
    {
      file: 'continuation-point/manager.yaml',
      about: 'Paste it into the typed_config of the HttpConnectionManager',
      steps: [],
      lines: renderYaml({
        use_remote_address: true,
        '# Matches and forwards the path as received.': '',
        normalize_path: false,
        merge_slashes: false,
        path_with_escaped_slashes_action: 'KEEP_UNCHANGED',
        '# Every request carries cookies, so a request head may be large.': '',
        max_request_headers_kb: Math.max(1, Math.ceil(site.headerBytes / 1024)),
        common_http_protocol_options: {
          '# X_Widget_Key is X-Widget-Key to a CGI.': '',
          headers_with_underscores_action: 'DROP_HEADER',
          max_headers_count: 256,
        },
      }),
    },
  ]
}

function renderRoutes(site: Site, origin: SiteOrigin): readonly Yaml[] {
  return [
    {
      '# Refused, since servers interpret them differently: dot segments in any encoding, encoded controls.':
        '',
      match: { safe_regex: { regex: REFUSED } },
      direct_response: { status: 400 },
    },
    ...bodyLimit(site),
    ...origin.points.flatMap((point) => [bareRoute(origin, point), route(site, origin, point)]),
  ]
}

/** In front of serve there is none: it enforces the limit itself, for every body. */
function bodyLimit({ target, bodyBytes }: Site): Yaml[] {
  if (target.kind === 'route' || bodyBytes === undefined) return []
  const range = { start: bodyBytes + 1, end: Number.MAX_SAFE_INTEGER }
  const headers = [{ name: 'content-length', range_match: range }]
  return [{ match: { prefix: '/', headers }, direct_response: { status: 413 } }]
}

function bareRoute({ scheme }: SiteOrigin, { path }: SitePoint): Yaml {
  return {
    match: { path: path.slice(0, -1) },
    redirect: { path_redirect: path, scheme_redirect: scheme, response_code: 'PERMANENT_REDIRECT' },
  }
}

function route(site: Site, { url, scheme }: SiteOrigin, { path, strippedPath, keyName }: SitePoint): Yaml {
  const { target } = site
  const common = { cluster: 'continuation', timeout: '0s', idle_timeout: `${toWaitMs(site) / 1000}s` }
  if (target.kind === 'route') {
    return {
      match: { prefix: path },
      route: common,
      // Envoy has put its own id in place of a client's.
      request_headers_to_remove: ROUTE_REMOVED.filter((name) => name !== 'X-Request-Id'),
      request_headers_to_add: [add('X-Forwarded-Proto', scheme)],
    }
  }
  return {
    match: { prefix: path },
    route: {
      ...common,
      host_rewrite_literal: target.authority,
      prefix_rewrite: strippedPath === '' ? undefined : path.slice(strippedPath.length),
    },
    request_headers_to_remove: [...new Set([...requestRemoved(site), 'X-Envoy-External-Address'])],
    request_headers_to_add: [
      add('X-Widget-Key', `%ENVIRONMENT(${keyName})%`),
      add('X-Continuation-Origin', url),
    ],
    '# These would affect more of the site than this response.': '',
    response_headers_to_remove: RESPONSE_REMOVED,
    response_headers_to_add: [add('Cache-Control', NOT_STORED, 'ADD_IF_ABSENT')],
  }
}

function add(key: string, value: string, action = 'OVERWRITE_IF_EXISTS_OR_ADD'): Yaml {
  return { header: { key, value }, append_action: action }
}

function renderCluster({ target, connectMs }: Site): Yaml {
  const { host, port } = target
  const address = withoutBrackets(host)
  const isAddress = /^[0-9.]+$|:/.test(address)
  const endpoint = { address: { socket_address: { address, port_value: port } } }
  return {
    name: 'continuation',
    connect_timeout: `${connectMs / 1000}s`,
    '# Resolved again when the DNS record expires.': '',
    type: isAddress ? 'STATIC' : 'LOGICAL_DNS',
    respect_dns_ttl: isAddress ? undefined : true,
    load_assignment: { cluster_name: 'continuation', endpoints: [{ lb_endpoints: [{ endpoint }] }] },
    transport_socket: target.kind === 'forward' && target.scheme === 'https' ? tls(target) : undefined,
  }
}

function tls({ host, hostKind, caFile }: ForwardTarget): Yaml {
  const isName = hostKind === 'name'
  const name = { san_type: isName ? 'DNS' : 'IP_ADDRESS', matcher: { exact: withoutBrackets(host) } }
  return {
    name: 'envoy.transport_sockets.tls',
    typed_config: {
      '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
      sni: isName ? host : undefined,
      common_tls_context: {
        '# By default Envoy verifies neither the certificate nor the name.': '',
        validation_context: { trusted_ca: { filename: caFile }, match_typed_subject_alt_names: [name] },
      },
    },
  }
}

const REFUSED = String.raw`(?i).*(?:/|%2f|%5c|\\)(?:\.|%2e)(?:\.|%2e)?(?:(?:/|%2f|%5c|\\).*)?|.*(?:\\|%0a|%0d|%00).*`
