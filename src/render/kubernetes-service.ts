import type { Site } from './site.ts'

export interface KubernetesService {
  readonly name: string
  readonly port: number
}

/** The Service in front of `serve`: what `--upstream NAME:PORT` names. An address is none, so the manifests' own stands in. */
export function toKubernetesService({ target }: Site): KubernetesService {
  const isName = /[a-z]/.test(target.host) && !target.host.startsWith('[')
  return isName ? { name: target.host.split('.')[0] ?? '', port: target.port } : OWN_SERVICE
}

/** As deploy/kubernetes has it, and the chart when it is installed under this name. */
const OWN_SERVICE: KubernetesService = { name: 'continuation-point', port: 80 }
