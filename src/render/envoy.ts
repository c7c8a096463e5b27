import { toCluster, toManagerOptions, toRoutes } from './envoy-resources.ts'
import type { FrontEnd } from './front-end.ts'
import { toSlug } from './origins.ts'
import type { Part } from './part.ts'
import type { Site } from './site.ts'
import { toYaml } from './yaml.ts'

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
    'Envoy adds x-envoy fields, and in route mode x-request-id, unless the site switches them off.',
  ],
  parts: toEnvoyParts,
  lastStep: () => ({
    what: 'Paste them where the first line of each says, then test the config and restart Envoy',
    lines: ['envoy --mode validate -c /etc/envoy/envoy.yaml'],
  }),
}

/** Envoy has no include: routes and a cluster to paste, and options of the connection manager. */
function toEnvoyParts(site: Site): readonly Part[] {
  return [
    ...site.origins.map((origin) => ({
      file: `continuation-point/${toSlug(origin.url)}-routes.yaml`,
      about: `The continuation points of ${origin.url}; paste it at the beginning of its routes`,
      steps: [],
      lines: toYaml(toRoutes(site, origin)),
    })),
    {
      file: 'continuation-point/cluster.yaml',
      about: 'The cluster of every point; paste it into static_resources.clusters',
      steps: [],
      lines: toYaml([toCluster(site)]),
    },
    {
      file: 'continuation-point/manager.yaml',
      about: 'Paste it into the typed_config of the HttpConnectionManager',
      steps: [],
      lines: toYaml({ use_remote_address: true, ...toManagerOptions(site) }),
    },
  ]
}
