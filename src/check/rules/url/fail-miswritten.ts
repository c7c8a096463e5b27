import { toCorrectedUrl } from '../../corrected-url.ts'
import type { Facts, PointFact } from '../../facts.ts'
import { fail, type Ruling } from '../../rule.ts'

/** Fails a point that only has to be written otherwise, and says how. */
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
