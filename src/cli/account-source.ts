import { toSettings } from '../account/read-accounts.ts'
import { toServiceFault } from '../account/service-fault.ts'
import type { AccountSettings } from '../account/settings.ts'
import { createClient } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { isProtected } from '../http/host.ts'
import { redactUrl } from '../http/redact-url.ts'
import { isPoint, parsePoint } from '../points/point.ts'
import type { Refusal } from './command.ts'
import type { Io } from './io.ts'

/** What an account says of its points and cookies. */
export interface AccountSource {
  /** Its continuation URLs. */
  readonly urls: readonly string[]
  readonly scopes: NonNullable<AccountSettings['cookie_transfer_scopes']>
  readonly backTransfer: boolean
  /** What is left out, and what differs from the config of the front end, as sentences. */
  readonly notes: readonly string[]
}

/**
 * Reads the account whose key is in the variable API_KEY or WIDGET_KEY.
 *
 * @param others the points of the front end's config, if it was read
 */
export async function readAccountSource(
  service: string | undefined,
  prefix: string,
  others: readonly { readonly url: string }[] | undefined,
  { env }: Pick<Io, 'env'>,
): Promise<AccountSource | Refusal> {
  const { API_KEY: apiKey, WIDGET_KEY: widgetKey } = env
  if (!apiKey && !widgetKey) {
    return {
      fault: '--from-account needs the REST key in the variable API_KEY, or the widget key in WIDGET_KEY',
    }
  }
  if (service === undefined) return { fault: '--from-account needs the service: --service URL' }
  if (!isProtected(new URL(service)))
    return { fault: '--from-account needs a service on https: the key is in the URL' }
  try {
    const client = createClient({ baseUrl: `${service}/v2`, apiKey })
    const settings = toSettings(await client.options.get(apiKey ? {} : { widgetKey }))
    const { cookie_transfer_urls: listed = [], cookie_transfer_scopes: scopes = [] } = settings
    const parsed = listed.map((url) => ({ url, point: parsePoint(url, prefix) }))
    const urls = parsed.flatMap(({ point }) => (isPoint(point) ? [point.url] : []))
    const has = (all: readonly string[], url: string) => all.includes(url)
    const ofFrontEnd = others?.map(({ url }) => url) ?? urls
    const notes = [
      ...parsed.flatMap(({ url, point }) =>
        isPoint(point) ? [] : [`${redactUrl(url)} of the account is left out: ${point.reason}.`],
      ),
      ...urls.flatMap((url) =>
        has(ofFrontEnd, url) ? [] : [`${url} is in the account, and not in the config of the front end.`],
      ),
      ...ofFrontEnd.flatMap((url) =>
        has(urls, url) ? [] : [`${url} is in the config of the front end, and not in the account.`],
      ),
    ]
    const backTransfer = settings.enable_cookie_backtransfer ?? false
    return { urls, scopes, backTransfer, notes }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { message: `${error.method} ${error.path}: ${toServiceFault(error)}.`, outcome: 'inconclusive' }
  }
}
