import { withoutTrailingDot } from '../http/host.ts'
import type { Facts, PointFact } from './facts.ts'
import { toNearestPointUrl } from './nearest-point-url.ts'
import { toPagesOfSite, toParsedUrl } from './parsed-url.ts'

/**
 * The URL that a point should have been written as, with every correction that its text allows at once: the form of a
 * point, a host without a dot at its end, https unless a page of its site is http, or on loopback, where there is no
 * page. Who pastes it for one finding does not meet the next. `undefined` when not even a host can be told.
 */
export function toCorrectedUrl(
  { shown, fault }: Pick<PointFact, 'shown' | 'fault'>,
  { prefix, pagesBySite }: Pick<Facts, 'prefix' | 'pagesBySite'>,
): string | undefined {
  const text = fault === undefined ? shown : toNearestPointUrl(shown, prefix)
  if (text === undefined) return undefined
  const url = new URL(text)
  url.hostname = withoutTrailingDot(url.hostname)
  const parsed = toParsedUrl(url.href)
  const pages = toPagesOfSite(parsed, pagesBySite)
  const isFree = pages.length === 0 && parsed.loopback
  if (!isFree && pages.every(({ scheme }) => scheme === 'https')) url.protocol = 'https:'
  return toParsedUrl(url.href).url
}
