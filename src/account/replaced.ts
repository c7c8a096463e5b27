import { createHash } from 'node:crypto'
import { read } from '../api/schema.ts'
import { sessionOptions } from '../api/session-options.ts'
import { toJsonText } from '../text/json-text.ts'
import type { OpenAccount } from './open-accounts.ts'
import { toSettings } from './read-accounts.ts'
import type { AccountSettings, SettingDifference } from './settings.ts'
import type { AccountWebhook } from './webhooks.ts'

/** The settings of each account before they were changed. */
export type Replaced = readonly {
  /** Its name, for a reader of the file. */
  readonly account?: string | undefined
  /** The root of its service's REST API. */
  readonly service: string
  /** What tells it from others: a digest of each of its keys that are known. */
  readonly keys: readonly string[]
  readonly settings: AccountSettings
}[]

/** The webhooks of an account that a run changes or deletes, with their secret URLs. */
export interface ReplacedWebhooks extends Pick<Replaced[number], 'account' | 'service'> {
  readonly webhooks: readonly AccountWebhook[]
}

/** What a change replaces. A switch that is not there is off, a list that is not there empty. */
export function toReplaced(
  account: OpenAccount,
  differences: readonly SettingDifference[],
): Replaced[number] {
  const before = differences.map((each) => [each.setting, each.account ?? ('target' in each ? [] : false)])
  const { service, config } = account
  return { account: config.name, service, keys: digestKeys(account), settings: Object.fromEntries(before) }
}

export function renderReplaced(accounts: readonly (Replaced[number] | ReplacedWebhooks)[]): string {
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
    const digests = digestKeys(each)
    const entry = replaced.find(
      ({ service, keys }) => service === each.service && keys.some((key) => digests.includes(key)),
    )
    return entry === undefined ? [] : [{ ...each, config: { ...each.config, wanted: entry.settings } }]
  })
  return found.length === replaced.length ? found : 'it was kept from an account that is not in the config'
}

function digestKeys({ keys: { widgetKey, apiKey } }: OpenAccount): readonly string[] {
  const keys = [widgetKey, apiKey].flatMap((key) => key?.reveal() ?? [])
  return keys.map((key) => createHash('sha256').update(key).digest('base64url'))
}

function parseReplaced(text: string): Replaced | undefined {
  try {
    const { schemaVersion, accounts } = JSON.parse(text)
    if (schemaVersion !== 1) return undefined
    return accounts.map(({ service, keys, settings }: Replaced[number]) => {
      const options = read(sessionOptions, settings)
      if ('fault' in options || !Array.isArray(keys)) throw new TypeError()
      const known = Object.entries(toSettings(options.value)).filter(([, value]) => value !== undefined)
      return { service, keys, settings: Object.fromEntries(known) }
    })
  } catch {
    return undefined
  }
}
