import { toSettings } from '../account/read-account.ts'
import { type AccountSettings, findLeftAlone, toCookieKey } from '../account/settings.ts'
import { type ApiClient, createClient } from '../api/client.ts'
import { isProtected } from '../http/host.ts'
import { redactUrl } from '../http/url.ts'
import { isPoint, parsePoint } from '../points/point.ts'
import type { Refusal } from './command.ts'
import type { Io } from './io.ts'
import { unsafeStartReason } from './refuse.ts'
import { refuseCall, tellingClock } from './with-account.ts'

/** What the service says of an account's points and cookies. */
export interface AccountSource {
  readonly urls: readonly string[]
  readonly scopes: NonNullable<AccountSettings['cookie_transfer_scopes']>
  readonly backTransfer: boolean
  /** What is left out, as sentences. */
  readonly notes: readonly string[]
}

/** Reads the account of the key in API_KEY or WIDGET_KEY. */
export async function readAccountSource(
  service: string | undefined,
  prefix: string,
  io: Pick<Io, 'env' | 'nodeFlags' | 'budgetOf' | 'stderr'>,
): Promise<AccountSource | Refusal> {
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) return { message: unsafe }
  const { env, budgetOf } = io
  const { API_KEY: apiKey, WIDGET_KEY: widgetKey } = env
  if (!apiKey && !widgetKey)
    return {
      fault: '--from-account needs the REST key in the variable API_KEY, or the widget key in WIDGET_KEY',
    }
  if (service === undefined) return { fault: '--from-account needs the service: --service URL' }
  if (!isProtected(new URL(service)))
    return { fault: '--from-account needs a service on https: the key is in the URL' }
  try {
    const baseUrl = `${service}/v2`
    const calls = { budget: budgetOf(baseUrl), clock: tellingClock(io) }
    const client = createClient({ baseUrl, apiKey, ...calls })
    return await readAccount(client, apiKey ? undefined : widgetKey, prefix)
  } catch (error) {
    return refuseCall(error)
  }
}

async function readAccount(
  client: ApiClient,
  widgetKey: string | undefined,
  prefix: string,
): Promise<AccountSource> {
  const settings = toSettings(await client.options.get({ widgetKey }))
  const { cookie_transfer_urls: listed = [], cookie_transfer_scopes = [] } = settings
  const parsed = listed.map((url) => ({ url, point: parseListed(url, prefix) }))
  const keys = cookie_transfer_scopes.map(toCookieKey)
  const scopes = cookie_transfer_scopes.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
  const urls = parsed.flatMap(({ point }) => (isPoint(point) ? [point.url] : []))
  const notes = [
    ...findLeftAlone(settings, {}, 'all').map(
      ({ what, reason }) => `${what} of the account is left out: ${reason}.`,
    ),
    ...parsed.flatMap(({ url, point }) =>
      isPoint(point) ? [] : [`${redactUrl(url)} of the account is left out: ${point.reason}.`],
    ),
  ]
  const backTransfer = settings.enable_cookie_backtransfer ?? false
  return { urls, scopes, backTransfer, notes }
}

/** A point with a dot at the end of its host is on another site, which no visitor uses. */
function parseListed(url: string, prefix: string): ReturnType<typeof parsePoint> {
  const point = parsePoint(url, prefix)
  if (!isPoint(point) || !point.host.endsWith('.')) return point
  return { kind: 'invalid', reason: 'its host ends in a dot' }
}
