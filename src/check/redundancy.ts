import { toUsablePoints } from './carriage.ts'
import type { Facts, PointFact, SoundPoint } from './facts.ts'
import { indexBy } from './index-by.ts'
import type { ParsedUrl } from './parsed-url.ts'

/**
 * Finds points that can all be removed at once. For each of them a point remains that has the same site and scheme and
 * receives at least the same cookies, with the same certainty; and each page keeps a point on its own origin. The point
 * on `/` of an origin always remains, since the service's instructions verify there. Of two equal points the earlier one
 * remains.
 */
export function findRedundantPoints(facts: Facts): ReadonlyMap<PointFact, PointFact> {
  const candidates = toCandidates(facts)
  const mayCover = indexCandidates(candidates)
  const pageOrigins = new Set([...facts.pagesBySite.values()].flat().map((page) => page.origin))
  const keptOnOrigin = new Map<string, number>()
  for (const { parsed } of candidates)
    keptOnOrigin.set(parsed.origin, (keptOnOrigin.get(parsed.origin) ?? 0) + 1)
  const coveredBy = new Map<PointFact, PointFact>()
  for (const candidate of candidates.toReversed()) {
    const { origin } = candidate.parsed
    const onOrigin = keptOnOrigin.get(origin) ?? 0
    if (candidate.fact.point.cookiePath === '/') continue
    if (pageOrigins.has(origin) && onOrigin === 1) continue
    const other = mayCover(candidate).find(
      (each) => each !== candidate && !coveredBy.has(each.fact) && covers(each, candidate),
    )
    if (other === undefined) continue
    coveredBy.set(candidate.fact, other.fact)
    keptOnOrigin.set(origin, onOrigin - 1)
  }
  return coveredBy
}

interface Candidate {
  readonly fact: SoundPoint
  readonly parsed: ParsedUrl
  /** Indexes of the listed cookies that it certainly receives, ascending. */
  readonly sure: readonly number[]
  /** The same, with those that it may receive. */
  readonly possible: readonly number[]
}

function toCandidates(facts: Facts): readonly Candidate[] {
  const { cookies } = facts
  const sure = toReceived(cookies.map(({ carriage }) => carriage.sure))
  const possible = toReceived(cookies.map(({ carriage }) => [...carriage.sure, ...carriage.maybe]))
  return toUsablePoints(facts).map((fact) => ({
    fact,
    parsed: fact.parsed,
    sure: sure.get(fact) ?? [],
    possible: possible.get(fact) ?? [],
  }))
}

function toReceived(receivers: readonly (readonly PointFact[])[]): ReadonlyMap<PointFact, readonly number[]> {
  return indexBy(receivers.keys(), (cookie) => receivers[cookie] ?? [])
}

/** Narrows the search: any candidate that covers a given one is among those returned for it, in order. */
function indexCandidates(candidates: readonly Candidate[]): (candidate: Candidate) => readonly Candidate[] {
  const byCookie = indexBy(candidates, ({ possible }) => possible)
  const bySite = indexBy(candidates, ({ parsed }) => [siteKey(parsed)])
  return ({ possible, parsed }) => {
    let fewest = bySite.get(siteKey(parsed)) ?? []
    for (const cookie of possible) {
      const receivers = byCookie.get(cookie) ?? []
      if (receivers.length < fewest.length) fewest = receivers
    }
    return fewest
  }
}

function siteKey({ scheme, site }: ParsedUrl): string {
  return `${scheme}://${site}`
}

function covers(other: Candidate, candidate: Candidate): boolean {
  return (
    siteKey(other.parsed) === siteKey(candidate.parsed) &&
    isSubset(candidate.sure, other.sure) &&
    isSubset(candidate.possible, other.possible)
  )
}

/** Both lists are ascending. */
function isSubset(some: readonly number[], all: readonly number[]): boolean {
  if (some.length > all.length) return false
  let at = 0
  for (const number of some) {
    while (at < all.length && (all[at] as number) < number) at += 1
    if (all[at] !== number) return false
  }
  return true
}
