import type { CookieScope } from '../site/cookie-scope.ts'
import { indexBy, oncePer } from './by-key.ts'
import { findOnPath, findUsablePoints, indexScopes, judgeCertainty, type ScopeIndex } from './carriage.ts'
import type { Facts, PointFact } from './facts.ts'

/**
 * Points that can all be removed at once, each with one that remains, is on the same site and scheme, and receives its cookies.
 * Each page keeps a point on its origin, and each origin its point on `/`, since the service's instructions verify there.
 */
export const findRedundantPoints = oncePer((facts: Facts): ReadonlyMap<PointFact, PointFact> => {
  const cookies = indexScopes(facts.cookies.map(({ judged }) => judged.scope))
  const candidates = findUsablePoints(facts).map((fact) => toReceiver(fact, facts, cookies))
  const byCookie = indexBy(candidates, ({ possible }) => possible)
  const bySite = indexBy(candidates, ({ siteKey }) => [siteKey])
  // Any candidate that covers the given one is among these, in order.
  const mayCover = ({ possible, siteKey }: Receiver) => {
    const rarest = findRarest(possible, byCookie)
    return (rarest && byCookie.get(rarest)) ?? bySite.get(siteKey) ?? []
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
  return coveredBy
})

/** Of these cookies, the first one of those that the fewest candidates receive; `undefined` if there are none. */
function findRarest(
  cookies: Iterable<CookieScope>,
  byCookie: ReadonlyMap<CookieScope, readonly Receiver[]>,
): CookieScope | undefined {
  let rarest: CookieScope | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const cookie of cookies) {
    const count = byCookie.get(cookie)?.length ?? 0
    if (count < fewest) [rarest, fewest] = [cookie, count]
  }
  return rarest
}

type Receiver = ReturnType<typeof toReceiver>
type UsablePoint = ReturnType<typeof findUsablePoints>[number]

/** Where a point is, and the scopes of the listed cookies that it certainly receives, or possibly. */
function toReceiver(fact: UsablePoint, facts: Facts, cookies: ScopeIndex) {
  const { parsed } = fact
  const { cookiePath, path } = fact.point
  const sure = new Set<CookieScope>()
  const possible = new Set<CookieScope>()
  for (const scope of findOnPath(cookies, parsed.host, path)) {
    const certainty = judgeCertainty(scope, parsed, facts.pagesBySite)
    if (certainty !== 'none') possible.add(scope)
    if (certainty === 'sure') sure.add(scope)
  }
  return { fact, parsed, siteKey: `${parsed.scheme}://${parsed.site}`, cookiePath, sure, possible }
}

function covers(other: Receiver, { siteKey, sure, possible }: Receiver): boolean {
  return other.siteKey === siteKey && isSubset(sure, other.sure) && isSubset(possible, other.possible)
}

function isSubset(some: ReadonlySet<CookieScope>, all: ReadonlySet<CookieScope>): boolean {
  return some.size <= all.size && [...some].every((each) => all.has(each))
}
