/**
 * Continuation points for runtimes that have only `fetch`: Workers, Deno, Bun, Lambda. Points, fields and refusals are
 * the same as in `serve`; no module of Node is needed. What `fetch` itself does not preserve:
 *
 * - The request-target is parsed before it gets here: dot segments are resolved, an empty query is removed, some
 *   characters are percent-encoded. A path that leaves the point that way gets 404 instead of 400.
 * - Field names lose their case and order, lines of one name are joined (Set-Cookie is not), and the runtime adds
 *   fields of its own to a request that has none (Accept, User-Agent; Cache-Control and Pragma against caches).
 * - Workers join Cookie lines by a comma, which can't be told from one in a value, so the service gets it. With
 *   `forward.cookies: "scoped"`, comma and space end a cookie in every runtime.
 * - Some runtimes read bytes above 0x7F in a field value as UTF-8 and change those that are not.
 * - The reason phrase is dropped, which clients should ignore (RFC 9112 section 4).
 * - A compressed body would be decoded, so the service gets `Accept-Encoding: identity`. If it answers with a coding all
 *   the same, the client gets 502, but for `gzip` in Workers, which break off where it is cut.
 * - The runtime decides on framing: a body that was sent with a length may be forwarded chunked. The body of a GET or
 *   HEAD is lost, since `fetch` sends none.
 * - In Node, whose `fetch` may end the process while a response waits, up to 8 MiB are held for each slow visitor, not more.
 * - Only the wait for a response head has a deadline (`timeouts.headers`), `limits.bodyBytes` applies to bodies with a
 *   Content-Length, and forwarding fields are not trusted.
 * - Scheme and host are those of the `Request`, and a Host field must name the same host. Where a runtime takes them from
 *   a request-target in absolute form, as @hono/node-server does, a client chooses among the points of both schemes. In
 *   Node use `continuation-point/hono`.
 *
 * A request is never sent again, so a GET gets 502 if the service closes an idle connection at that moment. A request with
 * a body has `Connection: close`. Where that is obeyed, as in Node, nothing that the service leaves unread becomes another
 * visitor's request; but `fetch` then takes a chunked response that is cut for complete.
 *
 * On Cloudflare this needs a compatibility date of 2024-11-11 or later, since when `fetch` can bypass caches.
 *
 * The conformance suite shows what a deployment preserves; each of these is a *should*. It was run in Node and in workerd,
 * not in Deno, Bun or Lambda.
 */

import { type ConfigInput, type JsonConfigInput, parseConfigInput } from './config/config-input.ts'
import { ConfigError } from './config/problem.ts'
import { createApp, type EdgeApp, type EdgeAppOptions } from './edge/edge-app.ts'
import { compileEdgeSettings } from './edge/edge-settings.ts'

export { type ConfigInput, defineConfig, type JsonConfigInput } from './config/config-input.ts'
export { ConfigError } from './config/problem.ts'
export type { EdgeApp, EdgeAppOptions } from './edge/edge-app.ts'
export type { EdgeRecord } from './edge/edge-exchange.ts'

export interface EdgeOptions extends EdgeAppOptions {
  /** Values of `env:NAME` references: the bindings of a Worker, `Deno.env.toObject()`. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Makes a Hono app of the continuation points of a config, for runtimes that call `fetch`.
 *
 * @throws ConfigError with all problems at once; `file:` references are problems here
 * @example
 * import { createEdgeApp } from 'continuation-point/edge'
 *
 * const config = {
 *   service: { url: 'https://cobrowse.example.net' },
 *   widgetKey: 'env:WIDGET_KEY',
 *   points: ['https://www.example.com/service_cookie_transfer/'],
 * }
 * const app = await createEdgeApp(config, { env: process.env }) // Deno: Deno.env.toObject()
 * export default { fetch: app.fetch }
 */
export async function createEdgeApp(
  config: ConfigInput | JsonConfigInput,
  options: EdgeOptions = {},
): Promise<EdgeApp> {
  const parsed = parseConfigInput(config)
  if ('problems' in parsed) throw new ConfigError(parsed.problems)
  const compiled = await compileEdgeSettings(parsed.config, options.env ?? {})
  if ('problems' in compiled) throw new ConfigError(compiled.problems)
  return createApp(compiled.settings, options)
}
