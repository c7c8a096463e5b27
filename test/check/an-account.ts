import type { AccountFact, AccountSaid } from '../../src/account/read-accounts.ts'
import { type AccountSettings, toDerivedSettings, toOwnHosts } from '../../src/account/settings.ts'
import type { Config } from '../../src/config/config.ts'

/** The only account of a config, with these options. */
export function anAccount(config: Config, said: AccountSaid): AccountFact {
  return {
    name: undefined,
    points: config.points.map((_, index) => index),
    setting: 'apiKey',
    location: { file: 'config.json', line: 1, column: 1, pointer: '/apiKey' },
    wanted: toDerivedSettings(config),
    own: toOwnHosts(config),
    said,
  }
}

/** Options that were read with both keys. */
export function saidOptions(options: AccountSettings): AccountSaid {
  return { kind: 'options', options, withBothKeys: true }
}
