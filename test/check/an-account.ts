import type { AccountFact, AccountSaid } from '../../src/account/read-account.ts'
import type { AccountSettings } from '../../src/account/settings.ts'
import { toWanted } from '../../src/account/wanted.ts'
import type { Config } from '../../src/config/config.ts'

/** The account of a config, with these options. */
export function anAccount(config: Config, said: AccountSaid): AccountFact {
  const location = { file: 'config.json', line: 1, column: 1, pointer: '/apiKey' }
  return { ...toWanted(config), location, said }
}

/** Options that were read with both keys. */
export function saidOptions(options: AccountSettings): AccountSaid {
  return { kind: 'options', options, withBothKeys: true }
}
