import { toSettings } from '../account/read-accounts.ts'
import { type AccountSettings, findLeftAlone, toCookieKey } from '../account/settings.ts'
import { type ApiClient, createTolerantClient } from '../api/client.ts'
import type { Client } from '../api/clients.ts'
import { isSecretReference } from '../config/secret.ts'
import { isProtected } from '../http/host.ts'
import { redactUrl } from '../http/redact-url.ts'
import { isPoint, parsePoint } from '../points/point.ts'
import type { KnownPoint } from '../setup/first-config.ts'
import type { Refusal } from './command.ts'
import type { Io } from './io.ts'
import { refuseCall, tellingClock } from './with-accounts.ts'

/** What the service says of an account's points and cookies, or of the points of a reseller's clients. */
export interface AccountSource {
  readonly urls: readonly string[]
  /** Those of them that have a widget key of their own. */
  readonly points: readonly KnownPoint[]
  readonly scopes: NonNullable<AccountSettings['cookie_transfer_scopes']>
  readonly backTransfer: boolean
  /** What is left out, as sentences. */
  readonly notes: readonly string[]
}

/** Reads the account of the key in API_KEY or WIDGET_KEY, or the clients of the reseller of API_KEY. */
export async function readAccountSource(
  flag: '--from-account' | '--from-clients',
  service: string | undefined,
  prefix: string,
  io: Pick<Io, 'env' | 'budgetOf' | 'stderr'>,
): Promise<AccountSource | Refusal> {
  const { env, budgetOf } = io
  const { API_KEY: apiKey, WIDGET_KEY: widgetKey } = env
  if (flag === '--from-clients' && !apiKey)
    return { fault: `${flag} needs the reseller's REST key in the variable API_KEY` }
  if (!apiKey && !widgetKey)
    return { fault: `${flag} needs the REST key in the variable API_KEY, or the widget key in WIDGET_KEY` }
  if (service === undefined) return { fault: `${flag} needs the service: --service URL` }
  if (!isProtected(new URL(service)))
    return { fault: `${flag} needs a service on https: the key is in the URL` }
  try {
    const baseUrl = `${service}/v2`
    const calls = { budget: budgetOf(baseUrl), clock: tellingClock(io) }
    const client = createTolerantClient({ baseUrl, apiKey, ...calls })
    if (flag === '--from-clients') return toPointsOfClients(await client.clients.list(), prefix)
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
  return { urls, points: [], scopes, backTransfer, notes }
}

/** A point on each host that the list has as a domain of a client. Which hosts a pattern stands for, the list does not say. */
function toPointsOfClients(clients: readonly Client[], prefix: string): AccountSource {
  const points = new Map<string, KnownPoint>()
  const notes: string[] = []
  for (const { company_name: name, domains = '', widget_key: widgetKey, company_plan_name } of clients) {
    const written = domains.split(',').flatMap((each) => each.trim() || [])
    if (written.length === 0) notes.push(`${name} is left out: it has no domain.`)
    for (const domain of written) {
      const leaveOut = (reason: string) => notes.push(`"${domain}" of ${name} is left out: ${reason}.`)
      const point = parseListed(`https://${domain}${prefix}`, prefix)
      if (domain.includes('*')) leaveOut('it is a pattern, so add its hosts to "points"')
      else if (!widgetKey || isSecretReference(widgetKey)) leaveOut('the list has no usable widget key')
      // The URL parser would read `http` in `http://e.example` as a host, and `1` as 0.0.0.1.
      else if (/\/|^\d+$/.test(domain)) leaveOut('it is not a host')
      else if (!isPoint(point)) leaveOut(point.reason)
      else if (points.has(point.url)) leaveOut('an earlier client has it too')
      else points.set(point.url, { url: point.url, widgetKey, plan: company_plan_name || undefined })
    }
  }
  const found = [...points.values()]
  const urls = found.map(({ url }) => url)
  return { urls, points: found, scopes: [], backTransfer: false, notes }
}

/** A point with a dot at the end of its host is on another site, which no visitor uses. */
function parseListed(url: string, prefix: string): ReturnType<typeof parsePoint> {
  const point = parsePoint(url, prefix)
  if (!isPoint(point) || !point.host.endsWith('.')) return point
  return { kind: 'invalid', reason: 'its host ends in a dot' }
}
