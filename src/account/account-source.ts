import { createClient } from '../api/client.ts'
import type { ClientSettings } from '../api/send.ts'
import { redactUrl } from '../http/url.ts'
import { isPoint, parsePoint } from '../points/point.ts'
import { toSettings } from './option-schemas.ts'
import { toCookieKey } from './settings.ts'

/** What the service says of an account's points and cookies; `notes` are sentences about what is left out. */
export type AccountSource = Awaited<ReturnType<typeof readAccountSource>>

/**
 * Reads the account of the REST key, or of the widget key where there is none.
 *
 * @throws ApiError
 */
export async function readAccountSource(
  { apiKey, ...calls }: ClientSettings,
  widgetKey: string | undefined,
  prefix: string,
) {
  const client = createClient({ ...calls, apiKey })
  const settings = toSettings(await client.options.get(apiKey ? {} : { widgetKey }), apiKey)
  const { cookie_transfer_urls: listed = [], cookie_transfer_scopes = [] } = settings
  const parsed = listed.map((url) => ({ url, point: parseListed(url, prefix) }))
  const known = new Set<string>()
  const scopes = cookie_transfer_scopes
    .filter((scope) => known.size < known.add(toCookieKey(scope)).size)
    // A service may say more of a scope than a config can.
    .map(({ name, domain, path, httponly }) => ({ name, domain, path, httponly }))
  const urls = parsed.flatMap(({ point }) => (isPoint(point) ? [point.url] : []))
  const notes = parsed.flatMap(({ url, point }) =>
    isPoint(point) ? [] : [`${redactUrl(url)} of the account is left out: ${point.reason}.`],
  )
  return { urls, scopes, backTransfer: settings.enable_cookie_backtransfer ?? false, notes }
}

/** A point with a dot at the end of its host is on another site, which no visitor uses. */
function parseListed(url: string, prefix: string): ReturnType<typeof parsePoint> {
  const point = parsePoint(url, prefix)
  if (!isPoint(point) || !point.host.endsWith('.')) return point
  return { kind: 'invalid', reason: 'its host ends in a dot' }
}
