import { toCorrectedUrl } from '../../corrected-url.ts'
import type { Facts, PointFact } from '../../facts.ts'
import { fail, type Ruling } from '../../rule.ts'

/** Fails a point that only has to be written otherwise, and says how. */
export function failMiswritten(
  message: string,
  point: PointFact,
  facts: Pick<Facts, 'prefix' | 'pagesBySite'>,
): Ruling {
  const corrected = toCorrectedUrl(point, facts)
  return corrected === undefined
    ? fail(message, `Write it as https://HOST${facts.prefix}`)
    : { outcome: 'fail', message, fix: `Write ${corrected}`, corrected }
}
