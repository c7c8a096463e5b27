import type { ApiClient } from '../../api/client.ts'
import { count } from '../../text/count.ts'
import { HISTORY_WRITINGS, type HistoryFormat } from './history-format.ts'

export interface ExportTarget {
  append(text: string): Promise<void>
  /** Everything appended so far belongs to complete slices, which need not be fetched again. */
  keep(progress: ExportProgress): Promise<void>
}

export interface ExportProgress {
  /** Complete slices. */
  readonly slices: number
  /** Sessions in them. */
  readonly sessions: number
}

/** What to export, and how the user hears of it. Times are milliseconds since the epoch. */
export interface HistoryOrder {
  readonly history: ApiClient['history']
  /** Address of the REST API. */
  readonly api: string
  /** The name of the account; empty if the config has only one. */
  readonly account: string
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  readonly format: HistoryFormat
  readonly signal: AbortSignal
  readonly nowMs: () => number
  /** Tells the user, in a line. */
  tell(line: string): void
  openProgress(): { show(text: string): void; close(): void }
}

/**
 * Writes the sessions slice by slice, page by page, the earliest slice first, each session once: in the slice that it starts
 * in. A service that ignores the range sends every session with each slice.
 *
 * @param before what an earlier run has completed
 * @returns how many sessions the export has now
 * @throws ApiError, and whatever the target throws
 */
export async function exportHistory(
  order: HistoryOrder,
  target: ExportTarget,
  before: ExportProgress,
): Promise<number> {
  const { history, format, signal, nowMs, tell } = order
  const [slices, writing, progress] = [toSlices(order), HISTORY_WRITINGS[format], order.openProgress()]
  let { sessions } = before
  let strays = 0
  try {
    if (before.slices === 0) await target.append(writing.head)
    for (const [index, slice] of slices.entries()) {
      if (index < before.slices) continue
      const show = () => progress.show(`history: part ${index + 1} of ${slices.length}, ${sessions} sessions`)
      show()
      const askedMs = nowMs()
      const seen = new Set<string>()
      for await (const { results } of history.pages({ ...slice }, { signal })) {
        const inside = results.filter(({ start_time }) => startsIn(slice, start_time))
        strays += results.length - inside.length
        // A session that starts meanwhile shifts the others by one, so that one appears on the next page again.
        const fresh = inside.filter(({ session_id }) => !seen.has(session_id))
        for (const { session_id } of fresh) seen.add(session_id)
        await target.append(fresh.map((item) => writing.toLine(item)).join(''))
        sessions += fresh.length
        show()
      }
      // A slice that reaches into the future may still get sessions.
      if (Date.parse(slice.max_date) <= askedMs) await target.keep({ slices: index + 1, sessions })
    }
  } finally {
    progress.close()
  }
  if (strays > 0)
    tell(`Left out ${count(strays, 'result')} from outside the time range that the service was asked for.`)
  return sessions
}

/** The service's times are UTC, also one that doesn't say so. One that can't be read may be in the slice. */
function startsIn({ min_date, max_date }: Slice, startTime: string): boolean {
  const startMs = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(startTime) ? startTime : `${startTime}Z`)
  return Number.isNaN(startMs) || (startMs >= Date.parse(min_date) && startMs < Date.parse(max_date))
}

/** A half-open part of a range of time. ISO 8601, UTC. */
type Slice = ReturnType<typeof toSlices>[number]

/**
 * Cuts a range into at most 30 parts of equal length, none shorter than an hour. A part that is exported need not be fetched
 * again; but each part costs one of the 100 calls that the service allows in a minute. The same range gives the same parts.
 */
export function toSlices({ fromMs, toMs }: Pick<HistoryOrder, 'fromMs' | 'toMs'>) {
  const lengthMs = Math.max(HOUR_MS, Math.ceil((toMs - fromMs) / MOST_SLICES))
  const parts = Math.ceil((toMs - fromMs) / lengthMs)
  return Array.from({ length: parts }, (_, index) => ({
    min_date: new Date(fromMs + index * lengthMs).toISOString(),
    max_date: new Date(Math.min(fromMs + (index + 1) * lengthMs, toMs)).toISOString(),
  }))
}

const MOST_SLICES = 30

const HOUR_MS = 3_600_000
