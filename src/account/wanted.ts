import type { CookieTransferScope } from '../api/session-options.ts'
import type { Config, CookieConfig, PointConfig } from '../config/config.ts'
import { parseCookieDomain } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'
import { toPlainText } from '../text/escape.ts'
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
  const hosts = new Set(toHosts(points))
  const otherHosts = new Set(toHosts(config.points.filter(isOfOther)).filter((host) => !hosts.has(host)))
  const sites = new Set([...hosts].map(toSite))
  const otherSites = new Set([...otherHosts].map(toSite).filter((site) => !sites.has(site)))
  const isWanted = ({ domain }: CookieConfig) => {
    const parsed = parseCookieDomain(domain)
    return 'fault' in parsed || !otherSites.has(toSite(parsed.host))
  }
  return {
    points: config.points.flatMap((point, index) => (isOfOther(point) ? [] : index)),
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
    own: new Set(toOwnHosts(config).filter((host) => !otherHosts.has(host))),
  }
}

/** Whether a point sends the widget key of another account. */
export function isOfOther({ widgetKey }: PointConfig): boolean {
  return widgetKey !== undefined
}

/**
 * The canonical hosts that a config names; what the account lists of others is foreign. A domain cookie names none.
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

/** What to type into the dashboard without a REST key. The switch that makes the widget call the points is last. */
export function renderSheet(config: Config): string {
  const {
    cookie_transfer_urls: urls = [],
    cookie_transfer_scopes: scopes,
    enable_cookie_backtransfer: backTransfer,
  } = toWanted(config).wanted
  const listed = 'lists these, besides those of other hosts:'
  const steps = [
    [`cookie_transfer_urls ${listed}`, ...urls],
    scopes !== undefined && [`cookie_transfer_scopes ${listed}`, ...toTable(scopes)],
    backTransfer !== undefined && [`enable_cookie_backtransfer is ${backTransfer ? 'on' : 'off'}`],
    ['cookie_transfer_enabled is on'],
    ['cookie_transfer_proxying is on'],
  ].filter((step) => step !== false)
  const lines = steps.flatMap(([step, ...entries], index) => [
    `${index + 1}. ${step}`,
    ...entries.map((entry) => `     ${toPlainText(entry)}`),
  ])
  return ['In the settings of the account, in this order:', '', ...lines, ''].join('\n')
}

function toTable(scopes: readonly CookieTransferScope[]): readonly string[] {
  if (scopes.length === 0) return ['(none)']
  const rows = [
    ['name', 'domain', 'path', 'httponly'],
    ...scopes.map(({ name, domain, path, httponly }) => [name, domain, path, httponly ? 'yes' : 'no']),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}
