import type { Facts, PointFact } from '../../facts.ts'
import { pass, type Ruling } from '../../rule.ts'
import { failMiswritten } from './fail-miswritten.ts'

/** Fails a point whose URL has a fault of this kind, and says which URL was most likely meant. */
export function judgeFault(
  kind: NonNullable<PointFact['fault']>['kind'],
  point: PointFact,
  facts: Facts,
): Ruling {
  return point.fault?.kind === kind
    ? failMiswritten(`This can't be the URL of a point: ${point.fault.reason}`, point, facts)
    : pass
}
