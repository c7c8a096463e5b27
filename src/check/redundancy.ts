import type { Facts, Place, PointFact } from './facts.ts'
import { isCrossSite } from './place.ts'

/**
 * Finds the points that can all be removed at once: for each, another one stays that is of the same site and scheme
 * and receives at least the same cookies as surely, and each page keeps a point on its own origin. Of two equal
 * points the one that a page needs stays, else the earlier one.
 */
export function findRedundantPoints(facts: Facts): ReadonlyMap<PointFact, PointFact> {
  const candidates = toCandidates(facts)
  const pageOrigins = new Set([...facts.pagesBySite.values()].flat().map((page) => page.origin))
  const keptOnOrigin = new Map<string, number>()
  for (const { place } of candidates)
    keptOnOrigin.set(place.origin, (keptOnOrigin.get(place.origin) ?? 0) + 1)
  const coveredBy = new Map<PointFact, PointFact>()
  for (const candidate of candidates.toReversed()) {
    const { origin } = candidate.place
    const onOrigin = keptOnOrigin.get(origin) ?? 0
    if (pageOrigins.has(origin) && onOrigin === 1) continue
    const other = candidates.find(
      (each) => each !== candidate && !coveredBy.has(each.fact) && covers(each, candidate),
    )
    if (other === undefined) continue
    coveredBy.set(candidate.fact, other.fact)
    keptOnOrigin.set(origin, onOrigin - 1)
  }
  return coveredBy
}

interface Candidate {
  readonly fact: PointFact
  readonly place: Place
  /** One bit for each listed cookie that it surely receives. */
  readonly sure: bigint
  /** One bit for each that it receives surely or perhaps. */
  readonly any: bigint
}

function toCandidates({ points, pagesBySite, cookies }: Facts): readonly Candidate[] {
  const sure = toMasks(cookies.map(({ carriage }) => carriage.sure))
  const maybe = toMasks(cookies.map(({ carriage }) => carriage.maybe))
  return points.flatMap((fact) => {
    const { place, point, duplicateOf } = fact
    if (place === undefined || point === undefined || duplicateOf !== undefined) return []
    if (isCrossSite(place, pagesBySite)) return []
    const surely = sure.get(fact) ?? 0n
    return [{ fact, place, sure: surely, any: surely | (maybe.get(fact) ?? 0n) }]
  })
}

function toMasks(receivers: readonly (readonly PointFact[])[]): ReadonlyMap<PointFact, bigint> {
  const digits = new Map<PointFact, Uint8Array>()
  receivers.forEach((points, cookie) => {
    for (const point of points) {
      const bits = digits.get(point) ?? new Uint8Array(receivers.length).fill(48)
      bits[cookie] = 49
      digits.set(point, bits)
    }
  })
  const decoder = new TextDecoder('latin1')
  return new Map([...digits].map(([point, bits]) => [point, BigInt(`0b${decoder.decode(bits)}`)]))
}

function covers(other: Candidate, candidate: Candidate): boolean {
  return (
    other.place.site === candidate.place.site &&
    other.place.scheme === candidate.place.scheme &&
    (candidate.sure & ~other.sure) === 0n &&
    (candidate.any & ~other.any) === 0n
  )
}
