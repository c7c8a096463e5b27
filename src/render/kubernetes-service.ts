import type { Site } from './site.ts'

/** The Service of `serve`, by `--upstream NAME:PORT`; an address is none, and the name of the manifests stands in. */
export function toKubernetesService({ target }: Site): { readonly name: string; readonly port: number } {
  const isName = /[a-z]/.test(target.host) && !target.host.startsWith('[')
  return { name: isName ? (target.host.split('.')[0] ?? '') : 'continuation-point', port: target.port }
}
