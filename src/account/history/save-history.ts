import { ApiError } from '../../api/errors.ts'
import { mayPass } from '../service-fault.ts'
import { exportHistory, type HistoryOrder } from './export-history.ts'
import { openPartFile, type PartRefusal } from './part-file.ts'

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
    const sessions = await exportHistory(order, part, part.before)
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
