import type { Secret } from '../config/secret.ts'
import { nothing, record } from './answer.ts'
import { type CallOptions, parseKey } from './request.ts'
import type { Send } from './send.ts'
import { encodeOptions, type GivenOptions, type SessionOptions } from './session-options.ts'

/** The account's default session options (spec 4.3). */
export interface Options {
  /**
   * The defaults, with the limitations of the account's plan applied.
   *
   * @param options `widgetKey`: in place of the REST key, for this call only (spec 5); an empty one is ignored
   */
  get(options?: CallOptions & { readonly widgetKey?: Secret | string | undefined }): Promise<SessionOptions>
  /** Replaces the defaults: options that are missing here go back to the service's own default. */
  replace(options: GivenOptions, call?: CallOptions): Promise<SessionOptions>
  /** Changes only the given options. */
  change(options: GivenOptions, call?: CallOptions): Promise<SessionOptions>
  /** Resets every option to the service's own default. */
  reset(call?: CallOptions): Promise<void>
}

export function createOptions(send: Send): Options {
  const answer = record<SessionOptions>()
  return {
    get: async ({ widgetKey, ...call } = {}) =>
      send('GET /company/options/', answer, call, { credential: parseKey(widgetKey, 'widgetKey') }),
    replace: (given, call) => send('POST /company/options/', answer, call, { body: encodeOptions(given) }),
    change: (given, call) => send('PATCH /company/options/', answer, call, { body: encodeOptions(given) }),
    reset: (call) => send<void>('DELETE /company/options/', nothing, call),
  }
}
