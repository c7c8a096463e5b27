import { toSlug } from '../origins.ts'
import type { Part } from '../part.ts'
import type { Site } from '../site.ts'
import { toYaml } from '../yaml.ts'
import { toCluster, toManagerOptions, toRoutes } from './resources.ts'

/** Envoy has no include: routes and a cluster to paste, and options of the connection manager. */
export function toParts(site: Site): readonly Part[] {
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
