/**
 * Continuation points where there is nothing but `fetch`: Workers, Deno, Bun, Lambda. Points, fields and refusals are
 * those of `serve`; no module of Node is needed. What `fetch` itself can't keep:
 *
 * - The request-target was parsed before it gets here: dot segments are resolved, an empty query is gone, some octets
 *   are percent-encoded. What leaves the point that way is answered 404 instead of 400.
 * - Field names lose their case and order, lines of one name are joined (Set-Cookie is not), and the runtime adds
 *   fields of its own to a request that has none (Accept, User-Agent; Cache-Control and Pragma against caches).
 * - Octets above 0x7F in a field value are UTF-8 to some runtimes, which then change those that are not.
 * - A reason phrase with such octets is dropped.
 * - A coded body would be decoded, so `Accept-Encoding: identity` is what the service sees.
 * - Framing is the runtime's: a body may arrive chunked that came with a length.
 * - Only the wait for a response head has a deadline (`timeouts.headers`), `limits.bodyBytes` holds for bodies that
 *   announce their length, and nobody's forwarding fields are believed.
 *
 * On Cloudflare this needs a compatibility date of 2024-11-11 or later, from which on `fetch` can be kept out of caches.
 *
 * `continuation-point conformance` tells what a deployment keeps; each of these is a *should*. It was driven in Node and
 * in workerd; Deno, Bun and Lambda were not run.
 */

import { ConfigError } from './config/config-error.ts'
import { type ConfigInput, type JsonConfigInput, parseConfigInput } from './config/config-input.ts'
import { type EdgeApp, type EdgeAppOptions, toEdgeApp } from './edge/edge-app.ts'
import { toEdgeSettings } from './edge/edge-settings.ts'

export { ConfigError } from './config/config-error.ts'
export { type ConfigInput, defineConfig, type JsonConfigInput } from './config/config-input.ts'
export type { EdgeApp, EdgeAppOptions } from './edge/edge-app.ts'
export type { EdgeRecord } from './edge/edge-exchange.ts'

export interface EdgeOptions extends EdgeAppOptions {
  /** Where `env:NAME` references are looked up: the bindings of a Worker, `Deno.env.toObject()`. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Makes the continuation points of a config ready to answer over `fetch`: `export default { fetch: app.fetch }`.
 *
 * @throws ConfigError naming every fault at once; `file:` references are faults here
 */
export async function createEdgeApp(
  config: ConfigInput | JsonConfigInput,
  options: EdgeOptions = {},
): Promise<EdgeApp> {
  const parsed = parseConfigInput(config)
  if ('problems' in parsed) throw new ConfigError(parsed.problems)
  const compiled = await toEdgeSettings(parsed.config, options.env ?? {})
  if ('problems' in compiled) throw new ConfigError(compiled.problems)
  return toEdgeApp(compiled.settings, options)
}
