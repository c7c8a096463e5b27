import { ApiError } from '../../api/errors.ts'
import type { OpenAccount } from '../open-accounts.ts'
import { mayPass } from '../service-fault.ts'
import { type ExportProgress, type ExportTarget, exportHistory } from './export-history.ts'
import { type HistoryFormat, historyWritings } from './history-format.ts'
import { openPartFile, type PartFile, type PartRefusal } from './part-file.ts'
import { toSlices } from './slices.ts'

/** What to export, and how the user hears of it. */
export interface HistoryOrder {
  readonly account: OpenAccount
  /** Address of the REST API. */
  readonly api: string
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  readonly format: HistoryFormat
  readonly signal: AbortSignal
  /** Tells the user, in a line. */
  tell(line: string): void
  openProgress(): { readonly show: (text: string) => void; close(): void }
}

/**
 * Writes the history to a file, and continues where an earlier run was interrupted.
 *
 * @returns the number of sessions in the file, or why it can't be written
 */
export async function saveHistory(
  order: HistoryOrder,
  path: string,
  replace: boolean,
): Promise<number | PartRefusal> {
  const { account, api, fromMs, toMs, format } = order
  const identity = {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    format,
    api,
    account: account.config.name ?? '',
  }
  const part = await openPartFile(path, identity, { replace })
  return isRefusal(part) ? part : fill(part, order)
}

async function fill(part: PartFile, order: HistoryOrder): Promise<number> {
  const { slices, sessions: there } = part.before
  try {
    if (slices > 0) order.tell(`Continuing an interrupted export: it has ${there} sessions so far.`)
    const sessions = await sendHistory(order, part, part.before)
    await part.finish()
    return sessions
  } catch (error) {
    if (!(error instanceof ApiError) || mayPass(error)) {
      order.tell('The export was interrupted. Run the same command again to continue it.')
    }
    throw error
  } finally {
    await part.close()
  }
}

/**
 * Writes the history, or the rest of it, to a target.
 *
 * @param before what an earlier run has completed
 * @returns the number of sessions there
 */
export async function sendHistory(
  order: HistoryOrder,
  target: ExportTarget,
  before: ExportProgress,
): Promise<number> {
  const slices = toSlices(order)
  const progress = order.openProgress()
  const exported = exportHistory({
    history: order.account.client.history,
    slices,
    before,
    writing: historyWritings[order.format],
    target,
    signal: order.signal,
    nowMs: Date.now,
    show: (now) =>
      progress.show(`history: part ${now.slices + 1} of ${slices.length}, ${now.sessions} sessions`),
  })
  const { sessions, strays } = await exported.finally(() => progress.close())
  if (strays > 0) {
    const results = strays === 1 ? 'result' : 'results'
    order.tell(`Left out ${strays} ${results} from outside the time range that the service was asked for.`)
  }
  return sessions
}

function isRefusal(part: PartFile | PartRefusal): part is PartRefusal {
  return typeof part === 'string' || 'other' in part
}
