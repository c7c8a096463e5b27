import type { Replaced } from '../account/replaced.ts'
import { findWriteFault } from '../config/file-fault.ts'
import { DEFAULT_FILE } from '../config/load.ts'
import { toJsonText } from '../text/json-text.ts'
import type { Io } from './io.ts'

/**
 * Opens the file in which a run keeps what it replaces in the account: one beside the config, or the one that the user
 * has named. It is written before the account is changed.
 */
export function openReplacedFile(config: string | undefined, named: string | undefined, io: Io) {
  // Such as `config.replaced-20260102T030405678Z.json`.
  const suffix = `.replaced-${new Date().toISOString().replace(/[-:.]/g, '')}.json`
  const path = named ?? (config ?? DEFAULT_FILE).replace(/(?:\.jsonc?)?$/, suffix)
  let kept: Replaced | undefined
  return {
    /** Returns why it can't, as a clause. */
    async keep(replaced: Replaced): Promise<string | undefined> {
      if ((await io.kindOf(path)) !== 'nothing')
        return `what it replaces can't be kept in ${path}, which exists already. Name another file with --save`
      const fault = await findWriteFault(io.placeFile(path, toJsonText(replaced), 0o600))
      if (fault !== undefined)
        return `what it replaces can't be kept in ${path}: ${fault}. Name another file with --save`
      kept = replaced
      return undefined
    },
    /** Tells how to undo the run, if it has replaced anything. */
    tellUndo(toStep: (path: string, kept: Replaced) => string): void {
      if (kept !== undefined) io.stderr(`What was there before is in ${path}. ${toStep(path, kept)}\n`)
    },
  }
}
