import type { Config } from '../config/config.ts'
import type { Problem } from '../config/problem.ts'
import { compileForwardRules } from '../forward/request.ts'
import { type ResolvedConfig, resolveConfig } from '../forward/resolved-config.ts'
import { whyExposed } from '../http/unverified.ts'
import { compilePoints } from '../points/match.ts'

/** Settings of exchanges over `fetch`. */
export type EdgeSettings = ReturnType<typeof toSettings>

/**
 * Compiles a config for a runtime without files and without sockets of our own. Settings of listeners, connections and
 * logs belong to `serve` and are ignored; a setting that would be missed, such as `service.ca`, is a problem.
 */
export async function compileEdgeSettings(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly settings: EdgeSettings } | { readonly problems: readonly Problem[] }> {
  const listen = { ...config.listen, tls: undefined }
  const loaded = await resolveConfig({ ...config, listen }, { env, readFile: noFiles })
  const untrusted = findTrustProblems(config)
  if ('problems' in loaded) return { problems: [...untrusted, ...loaded.problems] }
  if (untrusted.length > 0) return { problems: untrusted }
  return { settings: toSettings(config, loaded.resolved) }
}

function toSettings(config: Config, { service, points }: ResolvedConfig) {
  return {
    points: compilePoints(points, service.prefix),
    rules: compileForwardRules(config, service.url),
    /** `https://host[:port]` of the service. */
    serviceOrigin: new URL(service.url).origin,
    headersTimeoutMs: config.timeouts.headersMs,
    headLimitBytes: config.limits.headerBytes,
    bodyLimitBytes: config.limits.bodyBytes,
  }
}

async function noFiles(): Promise<string> {
  throw Object.assign(new Error('There are no files here'), {
    code: 'there are no files at the edge: use env:NAME',
  })
}

/** `fetch` verifies the service as its runtime does. */
function findTrustProblems({ service }: Config): readonly Problem[] {
  const problems: Problem[] = []
  if (service.ca !== undefined)
    problems.push({
      location: service.ca.location,
      message:
        'service.ca has no effect at the edge: fetch trusts the authorities of its runtime and no other',
      expected: 'a service whose certificate is publicly trusted',
    })
  const message = service.url === undefined ? undefined : whyExposed(new URL(service.url).origin)
  const location = { file: 'config', pointer: '/service/url' }
  if (message !== undefined) problems.push({ location, message })
  return problems
}
