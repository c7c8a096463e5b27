import { read } from '../api/schema.ts'
import { sessionOptions } from '../api/session-options.ts'
import { toJsonText } from '../text/json-text.ts'
import type { OpenAccount } from './open-accounts.ts'
import { toSettings } from './read-accounts.ts'
import type { AccountSettings, SettingDifference } from './settings.ts'

/** The settings of each account before they were changed, by the account's name; `null` if the config has only one. */
export type Replaced = readonly { readonly account: string | null; readonly settings: AccountSettings }[]

/** What a change replaces. A switch that is not there is off, a list that is not there empty. */
export function toReplaced(
  { config }: OpenAccount,
  differences: readonly SettingDifference[],
): Replaced[number] {
  const before = differences.map((each) => [each.setting, each.account ?? ('target' in each ? [] : false)])
  return { account: config.name ?? null, settings: Object.fromEntries(before) }
}

export function renderReplaced(accounts: Replaced): string {
  return toJsonText({ schemaVersion: 1, accounts })
}

/** @returns the accounts of the config with these settings as those that they must have; or a fault, as a clause */
export function withReplaced(
  text: string,
  accounts: readonly OpenAccount[],
): readonly OpenAccount[] | string {
  const replaced = parseReplaced(text)
  if (replaced === undefined) return 'it is not a file that settings apply has kept'
  const found = accounts.flatMap((each) => {
    const entry = replaced.find(({ account }) => account === (each.config.name ?? null))
    return entry === undefined
      ? []
      : [{ ...each, config: { ...each.config, wanted: entry.settings, own: 'all' as const } }]
  })
  return found.length === replaced.length ? found : 'it has an account that the config does not have'
}

function parseReplaced(text: string): Replaced | undefined {
  try {
    const { schemaVersion, accounts } = JSON.parse(text)
    if (schemaVersion !== 1) return undefined
    return accounts.map(({ account, settings }: { account: unknown; settings: object }) => {
      const options = read(sessionOptions, settings)
      if ('fault' in options || (account !== null && typeof account !== 'string')) throw new TypeError()
      const known = Object.entries(toSettings(options.value)).filter(([, value]) => value !== undefined)
      return { account, settings: Object.fromEntries(known) }
    })
  } catch {
    return undefined
  }
}
