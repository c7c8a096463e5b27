import { ApiError } from '../../api/errors.ts'
import { mayPass } from '../service-fault.ts'
import { type ExportOrder, type ExportProgress, type ExportTarget, exportHistory } from './export-history.ts'
import { openPartFile, type PartRefusal } from './part-file.ts'

/** What to export, and how the user hears of it. */
export interface HistoryOrder extends ExportOrder {
  /** Address of the REST API. */
  readonly api: string
  /** The name of the account; empty if the config has only one. */
  readonly account: string
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
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
  const part = await openPartFile(path, { from, to, format, api, account }, { replace })
  if (typeof part === 'string' || 'other' in part) return part
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
  const progress = order.openProgress()
  const exported = exportHistory(order, target, before, progress.show)
  const { sessions, strays } = await exported.finally(() => progress.close())
  if (strays > 0) {
    const results = strays === 1 ? 'result' : 'results'
    order.tell(`Left out ${strays} ${results} from outside the time range that the service was asked for.`)
  }
  return sessions
}
