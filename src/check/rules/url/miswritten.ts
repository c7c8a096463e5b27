import type { Facts, PointFact } from '../../facts.ts'
import { fail, pass, type Ruling } from '../../rule.ts'
import { toCorrectedUrl } from '../../url-fixes.ts'

/** Fails a point whose URL only needs to be rewritten, and says how. */
export function failMiswritten(
  message: string,
  point: PointFact,
  facts: Pick<Facts, 'prefix' | 'pagesBySite' | 'points'>,
): Ruling {
  const corrected = toCorrectedUrl(point, facts)
  if (corrected === undefined) return fail(message, `Write it as https://HOST${facts.prefix}`)
  const isThere = facts.points.some((each) => each !== point && each.point?.url === corrected)
  if (isThere) return fail(message, `Remove this point: ${corrected} is there already`)
  return { outcome: 'fail', message, fix: `Write ${corrected}`, corrected }
}

/** Fails a point whose URL has a fault of this kind. */
export function judgeFault(
  kind: NonNullable<PointFact['fault']>['kind'],
  point: PointFact,
  facts: Facts,
): Ruling {
  return point.fault?.kind === kind
    ? failMiswritten(`This can't be the URL of a point: ${point.fault.reason}`, point, facts)
    : pass
}
