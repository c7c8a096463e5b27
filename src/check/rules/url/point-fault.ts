import type { PointFact } from '../../facts.ts'
import { toNearestPointUrl } from '../../nearest-point-url.ts'
import { fail, failMiswritten, pass, type Ruling } from '../../rule.ts'

/** Fails a point whose URL has a fault of this kind, and says which URL was most likely meant. */
export function judgeFault(
  kind: NonNullable<PointFact['fault']>['kind'],
  { fault, shown }: PointFact,
  prefix: string,
): Ruling {
  if (fault?.kind !== kind) return pass
  const message = `This is no URL of a point: ${fault.reason}`
  const meant = toNearestPointUrl(shown, prefix)
  return meant === undefined
    ? fail(message, `Write it as https://HOST${prefix}`)
    : failMiswritten(message, meant)
}
