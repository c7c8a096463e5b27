import type { Secret } from '../config/secret.ts'
import { json, nothing } from './answer.ts'
import { type CallOptions, parseKey } from './request.ts'
import type { Send } from './send.ts'
import type { SessionOptions, sessionOptions } from './session-options.ts'

/** The account's default session options (spec 4.3). */
export interface Options {
  /**
   * The defaults, with the limitations of the account's plan applied.
   *
   * @param options `widgetKey`: used in place of the REST key, which the service allows for this call only (spec 5);
   * an empty one is ignored
   */
  get(options?: CallOptions & { readonly widgetKey?: Secret | string | undefined }): Promise<SessionOptions>
  /** Replaces the defaults: options that are missing here go back to the service's own default. */
  replace(options: SessionOptions, call?: CallOptions): Promise<SessionOptions>
  /** Changes only the given options. */
  change(options: SessionOptions, call?: CallOptions): Promise<SessionOptions>
  /** Resets every option to the service's own default. */
  reset(call?: CallOptions): Promise<void>
}

export function createOptions(send: Send, schema: typeof sessionOptions): Options {
  const answer = json(schema)
  return {
    get: async ({ widgetKey, ...call } = {}) =>
      send('GET /company/options/', answer, call, { credential: parseKey(widgetKey, 'widgetKey') }),
    replace: (body, call) => send('POST /company/options/', answer, call, { body }),
    change: (body, call) => send('PATCH /company/options/', answer, call, { body }),
    reset: (call) => send<void>('DELETE /company/options/', nothing, call),
  }
}
