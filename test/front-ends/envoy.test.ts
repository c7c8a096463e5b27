import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { skipsSchemas } from '../schemas/schemas.ts'
import { faultsOf, loadEnvoyProtos } from './support/envoy-protos.ts'
import { legalConfigs } from './support/legal-configs.ts'
import { type RenderedPart, renderParts } from './support/rendered.ts'

const service = { service: { url: 'https://service.example' }, widgetKey: 'env:WIDGET_KEY' }
const texts = (['route', 'forward'] as const).flatMap((mode) =>
  legalConfigs.map(([what, config]) => ({ what, mode, config: { ...service, ...config } })),
)

describe.skipIf(skipsSchemas)('Envoy, validated against its protos', () => {
  const root = loadEnvoyProtosOnce()

  it.each(texts)('$mode, in a bootstrap: $what', ({ mode, config }) => {
    const bootstrap = toBootstrap(renderParts('envoy', mode, config))
    expect(faultsOf(root(), 'envoy.config.bootstrap.v3.Bootstrap', bootstrap)).toEqual([])
  })

  it.each(texts)('$mode, parts: $what', ({ mode, config }) => {
    for (const { file, text } of renderParts('envoy', mode, config)) {
      const type = Object.entries(PARTS).find(([end]) => file.endsWith(end))?.[1]
      if (type === undefined) throw new Error(`No type for ${file}`)
      const written: unknown = parse(text)
      const messages = Array.isArray(written) ? written : [{ ...(written as object), ...NEEDED[type] }]
      expect(messages.flatMap((message) => faultsOf(root(), type, message))).toEqual([])
    }
  })

  const listener = { address: { socket_address: { address: '::', port_value: 80 } } }
  it.each<readonly [what: string, listener: unknown, fault: string]>([
    ['a misspelt field', { ...listener, adress: {} }, 'adress is unknown'],
    ['a number as text', withPort('80'), 'socket_address.port_value: "80" is no uint32'],
    [
      'a number out of its bounds',
      withPort(65_536),
      'port_value: 65536 breaks (validate.rules).uint32.lte 65535',
    ],
    [
      'two fields where one must be chosen',
      { address: { socket_address: { address: '::', port_value: 1, named_port: 'a' } } },
      '2 of port_value, named_port',
    ],
    [
      'no field where one must be chosen',
      { address: { socket_address: { address: '::' } } },
      '0 of port_value, named_port',
    ],
    [
      'an empty text that must not be',
      { address: { socket_address: { address: '', port_value: 80 } } },
      'address: "" breaks (validate.rules).string.min_len 1',
    ],
    ['no list', { ...listener, filter_chains: {} }, 'filter_chains: no list'],
    ['an unknown name', { ...listener, traffic_direction: 'SIDEWAYS' }, 'traffic_direction: no "SIDEWAYS"'],
    ['a misspelt field of an extension', withFilter({ stat_prefx: 'a' }), 'stat_prefx is unknown'],
  ])('would find %s', (_what, broken, fault) => {
    const faults = faultsOf(root(), 'envoy.config.listener.v3.Listener', broken)
    expect(faults.join('\n')).toContain(fault)
  })

  function withPort(port: unknown): unknown {
    return { address: { socket_address: { address: '::', port_value: port } } }
  }

  function withFilter(config: object): unknown {
    const type = 'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager'
    const typed = { '@type': `type.googleapis.com/${type}`, stat_prefix: 'a', route_config: {}, ...config }
    return { ...listener, filter_chains: [{ filters: [{ name: 'a', typed_config: typed }] }] }
  }
})

/** The smallest site of Envoy, each part where its first line says. */
function toBootstrap(parts: readonly RenderedPart[]): unknown {
  const written = (end: string) =>
    parts.filter(({ file }) => file.endsWith(end)).map(({ text }) => parse(text))
  const hosts = written('routes.yaml').map((routes, at) => ({
    name: `host-${at}`,
    domains: [`host-${at}.example`],
    routes: [...routes, { match: { prefix: '/' }, direct_response: { status: 404 } }],
  }))
  const manager = {
    '@type': `type.googleapis.com/${PARTS['manager.yaml']}`,
    stat_prefix: 'site',
    ...Object.assign({}, ...written('manager.yaml')),
    route_config: { name: 'site', virtual_hosts: hosts },
    http_filters: [
      {
        name: 'envoy.filters.http.router',
        typed_config: {
          '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router',
          suppress_envoy_headers: true,
        },
      },
    ],
  }
  const listener = {
    name: 'site',
    address: { socket_address: { address: '::', port_value: 80 } },
    filter_chains: [{ filters: [{ name: 'manager', typed_config: manager }] }],
  }
  return { static_resources: { listeners: [listener], clusters: written('cluster.yaml').flat() } }
}

/** Loading takes a second, so it waits until a test runs. */
function loadEnvoyProtosOnce(): () => ReturnType<typeof loadEnvoyProtos> {
  let loaded: ReturnType<typeof loadEnvoyProtos> | undefined
  return () => {
    loaded ??= loadEnvoyProtos()
    return loaded
  }
}

/** What each part is pasted into, by the end of its name. */
const PARTS: Readonly<Record<string, string>> = {
  'routes.yaml': 'envoy.config.route.v3.Route',
  'cluster.yaml': 'envoy.config.cluster.v3.Cluster',
  'manager.yaml': 'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
}

/** What the site has already where a part is pasted among it. */
const NEEDED: Readonly<Record<string, object>> = {
  [PARTS['manager.yaml'] ?? '']: { stat_prefix: 'site', route_config: { name: 'site' } },
}
