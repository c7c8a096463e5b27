import type { Facts } from './facts.ts'
import type { ParsedUrl } from './parsed-url.ts'
import { toPagesOfSite } from './parsed-url.ts'

/**
 * The http pages of a point's site as they are called once they are served over https, as a clause: "A in place of B".
 * A page on the host of the point gets its port.
 */
export function toUpgradedPages(point: ParsedUrl, { pagesBySite }: Pick<Facts, 'pagesBySite'>): string {
  const plain = toPagesOfSite(point, pagesBySite).filter(({ scheme }) => scheme === 'http')
  const changes = plain.map((page) => `${toHttps(page, point)} in place of ${page.url}`)
  return [...new Set(changes)].join(' and ')
}

function toHttps(page: ParsedUrl, point: ParsedUrl): string {
  const url = new URL(page.url)
  url.protocol = 'https:'
  if (page.host === point.host && point.scheme === 'https') url.port = new URL(point.url).port
  return url.href
}
