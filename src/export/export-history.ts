import type { ApiClient } from '../api/client.ts'
import type { HistoryWriting } from './history-format.ts'
import type { Slice } from './slices.ts'

/** Where an export goes. */
export interface ExportTarget {
  append(text: string): Promise<void>
  /** All that was appended so far is of whole slices, and need not be asked for again. */
  keep(progress: ExportProgress): Promise<void>
}

export interface ExportProgress {
  /** Slices that are there, whole. */
  readonly slices: number
  /** Sessions in them. */
  readonly sessions: number
}

export interface HistoryExport {
  readonly history: ApiClient['history']
  readonly slices: readonly Slice[]
  /** What an earlier run has left. */
  readonly before: ExportProgress
  readonly writing: HistoryWriting
  readonly target: ExportTarget
  readonly signal: AbortSignal
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number
  readonly show: (progress: ExportProgress) => void
}

/**
 * Writes the sessions of the slices, the earliest slice first, each session once, a page at a time.
 *
 * @returns how many sessions the export has now
 * @throws ApiError, and what the target throws
 */
export async function exportHistory(run: HistoryExport): Promise<number> {
  const { slices, before, writing, target, signal, nowMs, show } = run
  let { sessions } = before
  if (before.slices === 0) await target.append(writing.head)
  for (const [index, slice] of slices.entries()) {
    if (index < before.slices) continue
    show({ slices: index, sessions })
    const askedMs = nowMs()
    const seen = new Set<string>()
    for await (const { results } of run.history.pages({ ...slice }, { signal })) {
      // A session that begins meanwhile moves the others on by one, and one to the next page.
      const fresh = results.filter(({ session_id }) => !seen.has(session_id))
      for (const { session_id } of fresh) seen.add(session_id)
      await target.append(fresh.map((item) => writing.toLine(item)).join(''))
      sessions += fresh.length
      show({ slices: index, sessions })
    }
    // What has not ended yet may still grow.
    if (Date.parse(slice.max_date) <= askedMs) await target.keep({ slices: index + 1, sessions })
  }
  return sessions
}
