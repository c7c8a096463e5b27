import type { ApiClient } from '../../api/client.ts'
import type { HistoryWriting } from './history-format.ts'
import type { Slice } from './slices.ts'

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

interface HistoryExport {
  readonly history: ApiClient['history']
  readonly slices: readonly Slice[]
  /** What an earlier run has completed. */
  readonly before: ExportProgress
  readonly writing: HistoryWriting
  readonly target: ExportTarget
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number
  readonly show: (progress: ExportProgress) => void
}

/**
 * Writes the sessions of the slices page by page, the earliest slice first, each session once: in the slice that it starts in.
 * A service that ignores the range sends every session with each slice.
 *
 * @returns how many sessions the export has now, and how many times this run left one out
 * @throws ApiError, and whatever the target throws
 */
export async function exportHistory(
  run: HistoryExport,
): Promise<{ readonly sessions: number; readonly strays: number }> {
  const { slices, before, writing, target, signal, nowMs, show } = run
  let { sessions } = before
  let strays = 0
  if (before.slices === 0) await target.append(writing.head)
  for (const [index, slice] of slices.entries()) {
    if (index < before.slices) continue
    show({ slices: index, sessions })
    const askedMs = nowMs()
    const seen = new Set<string>()
    for await (const { results } of run.history.pages({ ...slice }, { signal })) {
      const inside = results.filter(({ start_time }) => startsIn(slice, start_time))
      strays += results.length - inside.length
      // A session that starts meanwhile shifts the others by one, so that one appears on the next page again.
      const fresh = inside.filter(({ session_id }) => !seen.has(session_id))
      for (const { session_id } of fresh) seen.add(session_id)
      await target.append(fresh.map((item) => writing.toLine(item)).join(''))
      sessions += fresh.length
      show({ slices: index, sessions })
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
