import type { Facts } from './facts.ts'
import { toPagesOfSite, toParsedUrl } from './parsed-url.ts'
import { findReplaced } from './suggest-points.ts'
import { toUpgradedPages } from './upgraded-pages.ts'

/**
 * How a point is added, as a fix that leads to no other finding. What it makes needless goes. Where the pages of an
 * https point are all on http they move as well: from there, Chrome and Edge call it cross-site.
 */
export function toAdding(url: string, facts: Facts): string {
  const replaced = findReplaced(url, facts).map((each) => `, and remove ${each}, whose cookies it receives`)
  return `Add ${url} to "points"${replaced.join('')}${toMove(url, facts)}`
}

function toMove(url: string, facts: Facts): string {
  const parsed = toParsedUrl(url)
  const pages = toPagesOfSite(parsed, facts.pagesBySite)
  if (parsed.scheme === 'http' || pages.length === 0) return ''
  if (pages.some(({ scheme }) => scheme === 'https')) return ''
  return `, and serve the page over https: write ${toUpgradedPages(parsed, facts)} in "pages"`
}
