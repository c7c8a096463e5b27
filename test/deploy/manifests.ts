import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DeploymentSpec } from 'kubernetes-types/apps/v1.js'
import type { Container, PodSpec } from 'kubernetes-types/core/v1.js'
import { parseAllDocuments } from 'yaml'
import type { Config } from '../../src/config/config.ts'
import { planConcurrency } from '../../src/serve/capacity.ts'
import { configOf } from '../support/config-of.ts'

/** One Kubernetes object. Its shape is for the compiler to judge (see `kubernetes.test.ts`). */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> }
  readonly spec?: Record<string, unknown>
  readonly data?: Record<string, string>
}

export const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))

/** The objects of a folder of manifests, without Kustomize's own. */
export function readManifests(folder: string): Manifest[] {
  return readdirSync(join(deploy, folder))
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .flatMap((name) => toManifests(readFileSync(join(deploy, folder, name), 'utf8')))
}

/** What Kustomize makes of such a folder. */
export function kustomize(folder: string): Manifest[] {
  return toManifests(execFileSync('kubectl', ['kustomize', join(deploy, folder)], { encoding: 'utf8' }))
}

/** The objects of a YAML text. */
export function toManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((document) => document !== null)
}

export function readConfig(path: string): Config {
  return configOf(readFileSync(join(deploy, path), 'utf8'))
}

/** The example's Deployment with the sidecar in it, merged as Kustomize does for what these two hold. */
export function withSidecar(): Manifest {
  const [patch] = readManifests('kubernetes/sidecar')
  const [website] = readManifests('kubernetes/sidecar-example')
  if (patch === undefined || website === undefined) throw new Error('The sidecar or its example is gone')
  const template = { ...(website.spec?.template as object), spec: { ...podOf(website), ...podOf(patch) } }
  return { ...website, spec: { ...website.spec, template } }
}

/** How many requests at once serve takes by default in this much memory, in Kubernetes' or Compose's way to write it. */
export function requestsThatFit(memory: string, { limits }: Config): number {
  const [, number, unit = ''] = /^(\d+)(Mi|m|M)$/.exec(memory) ?? []
  if (number === undefined) throw new Error(`Not a number of MiB: ${memory}${unit}`)
  const memoryBytes = Number(number) * 1_048_576
  // Node's heap is half of a small container's memory.
  return planConcurrency({ memoryBytes, heapBytes: memoryBytes / 2 }, limits.headerBytes)
}

/** What a Deployment runs. */
export function podOf({ spec }: Manifest): PodSpec {
  return (spec as unknown as DeploymentSpec).template.spec as PodSpec
}

/** What serves in a pod. */
export function pointsOf({ initContainers = [], containers }: PodSpec): Container {
  const found = [...initContainers, ...containers].find(({ name }) => name === 'continuation-point')
  if (found === undefined) throw new Error('Nothing serves in the pod')
  return found
}
