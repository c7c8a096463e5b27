import type { AccountSettings } from '../account/settings.ts'
import { findWriteFault } from '../config/file-fault.ts'
import { DEFAULT_FILE } from '../config/load.ts'
import { toJsonText } from '../text/json-text.ts'
import type { Io } from './io.ts'

/**
 * Opens the file in which a run keeps the settings that it replaces in the account: one beside the config, or the one that the
 * user has named. It is written before the account is changed.
 */
export function openReplacedFile(config: string | undefined, named: string | undefined, io: Io) {
  // Such as `config.replaced-20260102T030405678Z.json`.
  const suffix = `.replaced-${new Date().toISOString().replace(/[-:.]/g, '')}.json`
  const path = named ?? (config ?? DEFAULT_FILE).replace(/(?:\.jsonc?)?$/, suffix)
  return {
    path,
    /** Returns why it can't, as a clause. */
    async keep(replaced: AccountSettings): Promise<string | undefined> {
      if ((await io.kindOf(path)) !== 'nothing')
        return `what it replaces can't be kept in ${path}, which exists already. Name another file with --save`
      const fault = await findWriteFault(io.placeFile(path, toJsonText(replaced), 0o600))
      return fault && `what it replaces can't be kept in ${path}: ${fault}. Name another file with --save`
    },
  }
}
