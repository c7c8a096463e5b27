import type { ApiClient } from '../../api/client.ts'
import { type HistoryFormat, historyWritings } from './history-format.ts'
import { type Slice, toSlices } from './slices.ts'

/** Where an export is written. */
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

/** What to export. Times are milliseconds since the epoch. */
export interface ExportOrder {
  readonly history: ApiClient['history']
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  readonly format: HistoryFormat
  readonly signal: AbortSignal
  readonly nowMs: () => number
}

/**
 * Writes the sessions slice by slice, page by page, the earliest slice first, each session once: in the slice that it starts
 * in. A service that ignores the range sends every session with each slice.
 *
 * @param before what an earlier run has completed
 * @returns how many sessions the export has now, and how many times this run left one out
 * @throws ApiError, and whatever the target throws
 */
export async function exportHistory(
  order: ExportOrder,
  target: ExportTarget,
  before: ExportProgress,
  show: (text: string) => void = () => {},
): Promise<{ readonly sessions: number; readonly strays: number }> {
  const { history, format, signal, nowMs } = order
  const [slices, writing] = [toSlices(order), historyWritings[format]]
  let { sessions } = before
  let strays = 0
  if (before.slices === 0) await target.append(writing.head)
  for (const [index, slice] of slices.entries()) {
    if (index < before.slices) continue
    const tell = () => show(`history: part ${index + 1} of ${slices.length}, ${sessions} sessions`)
    tell()
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
      tell()
    }
    // A slice that reaches into the future may still get sessions.
    if (Date.parse(slice.max_date) <= askedMs) await target.keep({ slices: index + 1, sessions })
  }
  return { sessions, strays }
}

/** The service's times are UTC, also one that doesn't say so. One that can't be read may be in the slice. */
function startsIn({ min_date, max_date }: Slice, startTime: string): boolean {
  const startMs = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(startTime) ? startTime : `${startTime}Z`)
  return Number.isNaN(startMs) || (startMs >= Date.parse(min_date) && startMs < Date.parse(max_date))
}
