import { type ConfigSource, loadWith } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import { type ResolvedConfig, resolveConfig } from '../forward/resolved-config.ts'
import { findCertificateProblems } from './find-certificate-problems.ts'

/** A config that can be served, or why it can't. */
export type Loading = { readonly resolved: ResolvedConfig } | { readonly problems: readonly Problem[] }

/**
 * Loads a config with everything that it refers to. Reports all problems at once.
 *
 * @param nodeVersion of the Node that will serve it
 */
export async function loadResolved(source: ConfigSource, nodeVersion: string): Promise<Loading> {
  const made = await loadWith(source, (config) => resolveConfig(config, source))
  if ('problems' in made) return made
  const { resolved } = made
  const problems = [...findCertificateProblems(resolved), ...findPortProblems(resolved, nodeVersion)]
  return problems.length > 0 ? { problems } : made
}

/** An older Node would ignore `reusePort`, and the second instance would find its port in use. */
function findPortProblems({ config: { listen } }: ResolvedConfig, nodeVersion: string): readonly Problem[] {
  if (!listen.reusePort || canReusePort(nodeVersion)) return []
  const message = `Node ${nodeVersion} can't share a port`
  return [{ location: listen.location, message, expected: 'Node 22.12, 23.1 or newer, or a port of its own' }]
}

/** Whether a release of Node knows the option `reusePort` of a listener. */
export function canReusePort(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  return major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12)
}
