import type { Site } from './site.ts'

export interface KubernetesService {
  readonly name: string
  readonly port: number
}

/** The Kubernetes Service of `serve`, from `--upstream NAME:PORT`; for an address, the name in our manifests. */
export function toKubernetesService({ target }: Site): KubernetesService {
  const isName = /[a-z]/.test(target.host) && !target.host.startsWith('[')
  return isName ? { name: target.host.split('.')[0] ?? '', port: target.port } : OWN_SERVICE
}

/** The name in deploy/kubernetes, and in the chart if it is installed under this name. */
const OWN_SERVICE: KubernetesService = { name: 'continuation-point', port: 80 }
