import type { SiteOrigin } from './origins.ts'
import type { Site } from './site.ts'
import { renderYaml, type Yaml } from './yaml.ts'

/** What an object is made from. */
export interface RoutedOrigin extends SiteOrigin {
  readonly objectName: string
  /** The Kubernetes Service of `serve`. */
  readonly service: { readonly name: string; readonly port: number }
}

/** An object for each origin, after a comment. */
export function renderObjects(
  preface: readonly string[],
  site: Site,
  toObject: (origin: RoutedOrigin) => { readonly [key: string]: Yaml },
): string[] {
  const service = chooseService(site)
  const documents = site.origins.flatMap((origin, index) => {
    const object = toObject({ ...origin, service, objectName: `${service.name}-${index + 1}` })
    return [...(index === 0 ? [] : ['---']), ...renderYaml({ [`# ${origin.url}`]: '', ...object })]
  })
  return [...preface, ...documents]
}

/** From `--upstream NAME:PORT`; for an address, the name in our manifests. */
function chooseService({ target }: Site): RoutedOrigin['service'] {
  const isName = /[a-z]/.test(target.host) && !target.host.startsWith('[')
  return isName ? { name: target.host.split('.')[0] ?? '', port: target.port } : OWN_SERVICE
}

/** The name in deploy/kubernetes, and in the chart if it is installed under this name. */
const OWN_SERVICE = { name: 'continuation-point', port: 80 }
