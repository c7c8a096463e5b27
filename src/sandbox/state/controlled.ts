import * as v from 'valibot'
import { boolean, filledText, integer, optional, timestamp, type ValuesOf } from './schema.ts'

/** A change of the time, in milliseconds. */
export const clockMembers = {
  now: optional(timestamp),
  advanceMs: optional(integer(0, 100 * 366 * 86_400_000)),
  frozen: optional(boolean),
} as const

/** The stand-in's time, which a test may change. All life cycles use it. */
export function startClock(realMs: () => number) {
  let offsetMs = 0
  let frozenAtMs: number | undefined
  const nowMs = () => frozenAtMs ?? realMs() + offsetMs
  return {
    nowMs,
    isFrozen: () => frozenAtMs !== undefined,
    /** Applies in this order: `now`, `advanceMs`, `frozen`. */
    set(change: ValuesOf<typeof clockMembers>): void {
      const isFrozen = change.frozen ?? frozenAtMs !== undefined
      const targetMs = (change.now ?? nowMs()) + (change.advanceMs ?? 0)
      offsetMs = targetMs - realMs()
      frozenAtMs = isFrozen ? targetMs : undefined
    },
  }
}

/** A delay or failure that a test forces on the stand-in. */
export const failureMembers = {
  /** Absent: any method. */
  method: optional(filledText),
  /** A last `*` stands for anything. */
  path: v.pipe(filledText, v.regex(/^(?:\/|\*$)/, 'must begin with a slash, or be *')),
  /** Absent: only a delay. */
  status: optional(integer(200, 599)),
  delayMs: optional(integer(0, 600_000), 0),
  /** For how many more requests. */
  count: optional(integer(1, 1_000_000), 1),
} as const

type ForcedFailure = ValuesOf<typeof failureMembers>

export function openForcedFailures() {
  const failures: ForcedFailure[] = []
  return {
    list: () => failures,
    add: (failure: ForcedFailure) => failures.push(failure),
    /** Uses the oldest failure that matches this request. */
    take(method: string, path: string): ForcedFailure | undefined {
      const at = failures.findIndex((failure) => isMeant(failure, method, path))
      const taken = failures[at]
      if (taken !== undefined)
        failures.splice(at, 1, ...(taken.count > 1 ? [{ ...taken, count: taken.count - 1 }] : []))
      return taken
    },
  }
}

function isMeant({ method: asked, path: each }: ForcedFailure, method: string, path: string): boolean {
  if (asked !== undefined && asked.toUpperCase() !== method) return false
  return each.endsWith('*') ? path.startsWith(each.slice(0, -1)) : path === each
}
