import type { Config, CookieConfig, PointConfig } from '../config/config.ts'
import { parseCookieDomain } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'
import { type AccountSettings, type OwnHosts, toDomain, toHost, toHref } from './settings.ts'

/** What a config wants of the account of its keys. */
export interface Wanted {
  /** The indexes of its points in the config, ascending. */
  readonly points: readonly number[]
  /** The settings that it must have; those that are absent stay as they are. */
  readonly wanted: AccountSettings
  /** The hosts that the config owns. */
  readonly own: OwnHosts
}

/**
 * Derives the account's settings from the config. A point with a widget key of its own is of another account, so it is left
 * out, with its host and the cookies that only its site receives.
 *
 * Hosts are written as `serve` and browsers compare them: lower case, A-labels. What is no URL and no domain stays as written.
 * Continuation needs both switches (spec 4.9, rule 10).
 */
export function toWanted(config: Config): Wanted {
  const { cookies, cookiesLocation, backTransfer } = config
  const points = config.points.filter((point) => !isOfOther(point))
  const hosts = toHosts(points)
  const otherHosts = toHosts(config.points.filter(isOfOther)).filter((host) => !hosts.includes(host))
  const sites = new Set(hosts.map(toSite))
  const otherSites = new Set(otherHosts.map(toSite).filter((site) => !sites.has(site)))
  const isWanted = ({ domain }: CookieConfig) => {
    const parsed = parseCookieDomain(domain)
    return 'fault' in parsed || !otherSites.has(toSite(parsed.host))
  }
  return {
    points: points.map((point) => config.points.indexOf(point)),
    wanted: {
      cookie_transfer_enabled: true,
      cookie_transfer_proxying: true,
      cookie_transfer_urls: points.map(({ url }) => toHref(url)),
      cookie_transfer_scopes:
        cookiesLocation &&
        cookies
          .filter(isWanted)
          .map(({ name, domain, path, httponly }) => ({ name, domain: toDomain(domain), path, httponly })),
      enable_cookie_backtransfer: backTransfer,
    },
    own: new Set(toOwnHosts(config).filter((host) => !otherHosts.includes(host))),
  }
}

/** Whether a point sends the widget key of another account. */
export function isOfOther({ widgetKey }: PointConfig): boolean {
  return widgetKey !== undefined
}

/**
 * The canonical hosts that a config names; what the account lists of others is foreign. A domain cookie names none: its domain
 * may be another team's.
 */
function toOwnHosts({ points, pages, cookies }: Config): readonly string[] {
  const domains = cookies.map(({ domain }) => parseCookieDomain(domain))
  return [
    ...toHosts([...points, ...pages]),
    ...domains.flatMap((parsed) => ('hostOnly' in parsed && parsed.hostOnly ? parsed.host : [])),
  ]
}

function toHosts(listed: readonly { readonly url: string }[]): readonly string[] {
  return listed.flatMap(({ url }) => toHost(url) ?? [])
}
