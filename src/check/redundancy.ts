import { isPoint, type Point, parsePoint } from '../points/point.ts'
import type { CookieScope } from '../site/cookie-scope.ts'
import { indexBy, oncePer } from './by-key.ts'
import { findOnPath, findUsablePoints, indexScopes, judgeCertainty, type ScopeIndex } from './carriage.ts'
import type { Facts, PointFact } from './facts.ts'
import { isCrossSite, isMixedContent, type ParsedUrl, parseKnownUrl } from './parsed-url.ts'

/**
 * Points that can all be removed at once, each with one that remains, is on the same site and scheme, and receives its cookies.
 * Each page keeps a point on its origin, and each origin its point on `/`, since the service's instructions verify there.
 */
export function findRedundantPoints(facts: Facts): ReadonlyMap<PointFact, PointFact> {
  return redundancyOf(facts).coveredBy
}

/** The points that one added at this URL makes unnecessary, as shown, the last one first; none if it would be redundant itself. */
export function findReplaced(url: string, facts: Facts): readonly string[] {
  const { urls, removable, pageOrigins, mayCover, countKept, cookies } = redundancyOf(facts)
  const point = parsePoint(url, facts.prefix)
  const parsed = parseKnownUrl(url)
  const isCalled = !isCrossSite(parsed, facts.pagesBySite) && !isMixedContent(parsed, facts.pagesBySite)
  if (!isPoint(point) || !isCalled || urls.has(parsed.url)) return []
  const added = toReceiver(point, parsed, facts, cookies)
  const { origin } = added.parsed
  const isSpare = added.cookiePath !== '/' && (countKept(origin) > 0 || !pageOrigins.has(origin))
  if (isSpare && mayCover(added).some((each) => covers(each, added))) return []
  const left = new Map<string, number>()
  return [undefined, ...added.possible]
    .flatMap((cookie) => removable.get(cookie) ?? [])
    .filter((each) => covers(added, each))
    .sort((a, b) => b.index - a.index)
    .filter(({ parsed }) => {
      if (parsed.origin === origin || !pageOrigins.has(parsed.origin)) return true
      const others = (left.get(parsed.origin) ?? countKept(parsed.origin)) - 1
      left.set(parsed.origin, Math.max(1, others))
      return others > 0
    })
    .map(({ fact }) => fact.shown)
}

const redundancyOf = oncePer((facts: Facts) => {
  const cookies = indexScopes(facts.cookies.map(({ judged }) => judged.scope))
  const candidates = findUsablePoints(facts).map((fact, index) => ({
    index,
    fact,
    ...toReceiver(fact.point, fact.parsed, facts, cookies),
  }))
  const byCookie = indexBy(candidates, ({ possible }) => possible)
  const bySite = indexBy(candidates, ({ siteKey }) => [siteKey])
  // Any candidate that covers the given one is among these, in order.
  const mayCover = ({ possible, siteKey }: Receiver) => {
    const rarest = byCookie.get(findRarest(possible, byCookie)) ?? []
    const onSite = bySite.get(siteKey) ?? []
    return possible.size > 0 && rarest.length < onSite.length ? rarest : onSite
  }
  const pageOrigins = new Set([...facts.pagesBySite.values()].flat().map((page) => page.origin))
  const kept = new Map<string, number>()
  const countKept = (origin: string) => kept.get(origin) ?? 0
  for (const { parsed } of candidates) kept.set(parsed.origin, countKept(parsed.origin) + 1)
  const coveredBy = new Map<PointFact, PointFact>()
  for (const candidate of candidates.toReversed()) {
    const { origin } = candidate.parsed
    if (candidate.cookiePath === '/') continue
    if (pageOrigins.has(origin) && countKept(origin) === 1) continue
    const other = mayCover(candidate).find(
      (each) => each !== candidate && !coveredBy.has(each.fact) && covers(each, candidate),
    )
    if (other === undefined) continue
    coveredBy.set(candidate.fact, other.fact)
    kept.set(origin, countKept(origin) - 1)
  }
  const removable = candidates.filter(({ fact, cookiePath }) => cookiePath !== '/' && !coveredBy.has(fact))
  return {
    urls: new Set(candidates.map(({ parsed }) => parsed.url)),
    coveredBy,
    /** What remains and is not on `/`, by the cookie that the fewest points receive. */
    removable: indexBy(removable, ({ possible }) => [findRarest(possible, byCookie)]),
    pageOrigins,
    countKept,
    mayCover,
    cookies,
  }
})

/** Of these cookies, the first one of those that the fewest candidates receive. */
function findRarest(cookies: Iterable<Cookie>, byCookie: ReadonlyMap<Cookie, readonly Receiver[]>): Cookie {
  let rarest: Cookie
  let fewest = Number.POSITIVE_INFINITY
  for (const cookie of cookies) {
    const count = byCookie.get(cookie)?.length ?? 0
    if (count < fewest) [rarest, fewest] = [cookie, count]
  }
  return rarest
}

type Receiver = ReturnType<typeof toReceiver>

/** Where a point is, and the scopes of the listed cookies that it certainly receives, or possibly. */
function toReceiver({ cookiePath, path }: Point, parsed: ParsedUrl, facts: Facts, cookies: ScopeIndex) {
  const sure = new Set<Cookie>()
  const possible = new Set<Cookie>()
  for (const scope of findOnPath(cookies, parsed.host, path)) {
    const certainty = judgeCertainty(scope, parsed, facts.pagesBySite)
    if (certainty !== 'none') possible.add(scope)
    if (certainty === 'sure') sure.add(scope)
  }
  return { parsed, siteKey: `${parsed.scheme}://${parsed.site}`, cookiePath, sure, possible }
}

function covers(other: Receiver, { siteKey, sure, possible }: Receiver): boolean {
  return other.siteKey === siteKey && isSubset(sure, other.sure) && isSubset(possible, other.possible)
}

function isSubset(some: ReadonlySet<Cookie>, all: ReadonlySet<Cookie>): boolean {
  return some.size <= all.size && [...some].every((each) => all.has(each))
}

/** `undefined` stands for the cookie of points that receive none of the listed ones. */
type Cookie = CookieScope | undefined
