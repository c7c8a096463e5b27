import { isDeepStrictEqual } from 'node:util'
import type { ApiClient } from '../api/client.ts'
import type { SessionOptions } from '../api/session-options.ts'
import type { AccountSaid } from '../check/facts.ts'
import type { Secret } from '../config/secret.ts'
import type { AccountSettings } from '../config/settings-difference.ts'

/** The options of an account; `two` if its keys belong to two accounts. */
export type ReadOptions =
  | { readonly kind: 'options'; readonly options: AccountSettings; readonly keys: 'both' | 'one' }
  | Extract<AccountSaid, { readonly kind: 'two' }>

/**
 * Reads the options of the account that a widget key belongs to. If there is a REST key too, they are read with each key:
 * the service finds the account by either, so both results must be equal.
 *
 * @param client has the REST key, if there is one
 * @throws ApiError
 */
export async function readOptions(
  client: ApiClient,
  { apiKey, widgetKey }: { readonly apiKey: Secret | undefined; readonly widgetKey: Secret | undefined },
): Promise<ReadOptions> {
  if (apiKey === undefined || widgetKey === undefined) {
    const options = await client.options.get(widgetKey === undefined ? {} : { widgetKey })
    return { kind: 'options', options: toSettings(options), keys: 'one' }
  }
  const ofRestKey = await client.options.get()
  const ofWidgetKey = await client.options.get({ widgetKey })
  const named = ofRestKey.widget_key
  const isNamedOther = typeof named === 'string' && named !== '' && named !== widgetKey.reveal()
  if (isNamedOther || !isDeepStrictEqual(ofRestKey, ofWidgetKey)) return { kind: 'two' }
  return { kind: 'options', options: toSettings(ofWidgetKey), keys: 'both' }
}

/** The options that concern continuation. */
export function toSettings(options: SessionOptions): AccountSettings {
  return {
    cookie_transfer_enabled: options.cookie_transfer_enabled,
    cookie_transfer_proxying: options.cookie_transfer_proxying,
    cookie_transfer_urls: options.cookie_transfer_urls,
    cookie_transfer_scopes: options.cookie_transfer_scopes,
    enable_cookie_backtransfer: options.enable_cookie_backtransfer,
  }
}
