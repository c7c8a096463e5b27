import type { Config, CookieConfig, PointConfig } from '../config/config.ts'
import type { Location } from '../config/problem.ts'
import type { ResolvedSecrets } from '../config/resolve-secrets.ts'
import type { SecretReference } from '../config/secret.ts'
import { parseUrl } from '../http/parse-url.ts'
import { parseCookieDomain } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'
import { type AccountSettings, type OwnHosts, toDerivedSettings, toOwnHosts } from './settings.ts'
import type { SettingChanges } from './undo.ts'

/** One account of the service: the points that send one widget key. */
export interface AccountConfig {
  /** The URL of its first point; absent if there is only one account. */
  readonly name: string | undefined
  /** Indexes of its points in the config, ascending. */
  readonly points: readonly number[]
  readonly widgetKey: SecretReference | undefined
  readonly apiKey: SecretReference | undefined
  /** The config key of its REST key, set or not: `apiKey`, `points[2].apiKey`. */
  readonly setting: string
  readonly location: Location
  /** Whether `apiKey` may be that of its reseller: only the reseller's list of clients tells. */
  readonly mayBeClient: boolean
  /** The settings that it must have; those that are absent stay as they are. */
  readonly wanted: AccountSettings
  /** The hosts of the whole config; `all` if foreign entries are to be removed too. */
  readonly own: OwnHosts | 'all'
  /** What to undo, instead of making it as wanted. */
  readonly undo?: SettingChanges
}

/**
 * Finds the accounts of a config, in the order of their first points. A point with its own widget key belongs to that
 * key's account; all others, and a config without points, to the account of the config's keys.
 *
 * @param secrets what was read of its keys: references that are written differently may lead to the same key
 */
export function toAccounts(config: Config, secrets?: Pick<ResolvedSecrets, 'of'>): readonly AccountConfig[] {
  const identify = (reference: SecretReference | undefined) =>
    secrets?.of(reference)?.reveal() ?? identifyAsWritten(reference)
  const groups = new Map<string, number[]>()
  for (const [index, point] of config.points.entries()) {
    const key = identify(point.widgetKey ?? config.widgetKey)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [index])
    else group.push(index)
  }
  if (groups.size === 0) groups.set(identify(config.widgetKey), [])
  const own = toOwnHosts(config)
  return [...groups].map(([key, points], _index, { length }) => {
    const members = points.flatMap((index) => config.points[index] ?? [])
    // Only accounts of a reseller's clients have a plan by name, and the config's REST key is then the reseller's.
    const isOfClient = members.some(({ plan }) => plan !== undefined)
    const sharesKey = key === identify(config.widgetKey)
    const isOfConfig = sharesKey || (length === 1 && !isOfClient)
    const restKey = toRestKey(config, points, isOfConfig)
    return {
      name: length === 1 ? undefined : members[0]?.url,
      points,
      widgetKey: members[0]?.widgetKey ?? config.widgetKey,
      ...restKey,
      mayBeClient: !sharesKey && restKey.apiKey !== undefined && restKey.apiKey === config.apiKey,
      wanted: toDerivedSettings({
        ...config,
        points: members,
        cookies: length === 1 ? config.cookies : toCookies(config, members),
      }),
      own,
    }
  })
}

/** Returns the same text for references that are written alike, without reading them. */
function identifyAsWritten(reference: SecretReference | undefined): string {
  if (reference === undefined) return ''
  if (reference.kind === 'literal') return JSON.stringify(['text', reference.secret.reveal()])
  return JSON.stringify([reference.kind, reference.kind === 'env' ? reference.name : reference.path])
}

function toRestKey(config: Config, points: readonly number[], isOfConfig: boolean) {
  const index = points.find((each) => config.points[each]?.apiKey !== undefined) ?? points[0] ?? 0
  const point = config.points[index]
  if (point?.apiKey !== undefined || (!isOfConfig && point !== undefined)) {
    const location = point.apiKey?.location ?? point.location
    return { apiKey: point.apiKey, setting: `points[${index}].apiKey`, location }
  }
  const { apiKey, service } = config
  const location = apiKey?.location ?? { file: service.location.file, pointer: '/apiKey' }
  return { apiKey, setting: 'apiKey', location }
}

/** The cookies on the sites of its points. Cookies on no point's site belong to the first account. */
function toCookies(config: Config, members: readonly PointConfig[]): readonly CookieConfig[] {
  const sites = toSites(members)
  const all = toSites(config.points)
  const isFirst = members[0] === config.points[0]
  return config.cookies.filter(({ domain }) => {
    const parsed = parseCookieDomain(domain)
    const site = 'fault' in parsed ? undefined : toSite(parsed.host)
    if (site !== undefined && all.has(site)) return sites.has(site)
    return isFirst
  })
}

function toSites(points: readonly PointConfig[]): ReadonlySet<string> {
  return new Set(points.flatMap(({ url }) => parseUrl(url)?.hostname ?? []).map(toSite))
}
