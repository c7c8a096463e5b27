import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { read } from '../api/schema.ts'
import { sessionOptions } from '../api/session-options.ts'
import type { Secret } from '../config/secret.ts'
import { toJsonText } from '../text/json-text.ts'
import type { OpenAccount } from './open-accounts.ts'
import { toSettings } from './read-accounts.ts'
import { type AccountSettings, type SettingDifference, settingNames } from './settings.ts'
import type { SettingChanges } from './undo.ts'
import type { AccountWebhook } from './webhooks.ts'

/** What a run changed in each account. */
export type Replaced = readonly (SettingChanges & {
  /** Its name, for a reader of the file. */
  readonly account?: string | undefined
  /** The root of its service's REST API. */
  readonly service: string
  /** What tells it from others: a digest of each of its keys that are known. */
  readonly keys: { readonly widgetKey?: string | undefined; readonly apiKey?: string | undefined }
})[]

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
  const after = differences.map((each) => [each.setting, 'target' in each ? each.target : each.config])
  const { service, config } = account
  return {
    account: config.name,
    service,
    keys: digestKeys(account),
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
  }
}

export function renderReplaced(accounts: readonly (Replaced[number] | ReplacedWebhooks)[]): string {
  return toJsonText({ schemaVersion: 1, accounts })
}

/** @returns the accounts of the config with these changes to undo; or a fault, as a clause */
export function withReplaced(
  text: string,
  accounts: readonly OpenAccount[],
): readonly OpenAccount[] | string {
  const replaced = parseReplaced(text)
  if (replaced === undefined) return 'it is not a file that settings apply has kept'
  const found: OpenAccount[] = []
  for (const entry of replaced) {
    const [account, other] = accounts.filter((each) => isOf(entry, each))
    if (account === undefined) return 'it was kept from an account that is not in the config'
    const isTaken = found.some(({ config }) => config.points === account.config.points)
    if (other !== undefined || isTaken) return 'it does not tell the accounts of the config apart'
    found.push({ ...account, config: { ...account.config, own: 'all', undo: entry } })
  }
  return found
}

/** Whether all keys that both know are the same, and there is one. */
function isOf({ service, keys }: Replaced[number], account: OpenAccount): boolean {
  const digests = digestKeys(account)
  const known = (['widgetKey', 'apiKey'] as const).filter((name) => keys[name] && digests[name])
  return (
    service === account.service && known.length > 0 && known.every((name) => keys[name] === digests[name])
  )
}

function digestKeys({ keys: { widgetKey, apiKey } }: OpenAccount): Replaced[number]['keys'] {
  const digest = (key: Secret | undefined) =>
    key && createHash('sha256').update(key.reveal()).digest('base64url')
  return { widgetKey: digest(widgetKey), apiKey: digest(apiKey) }
}

function parseReplaced(text: string): Replaced | undefined {
  try {
    const { schemaVersion, accounts } = JSON.parse(text)
    if (schemaVersion !== 1 || accounts.length === 0) return undefined
    return accounts.map(({ service, keys, before, after }: Replaced[number]) => {
      if (!(keys instanceof Object) || Array.isArray(keys)) throw new TypeError()
      if (!isDeepStrictEqual(Object.keys(before), Object.keys(after))) throw new TypeError()
      return { service, keys, before: parseSettings(before), after: parseSettings(after) }
    })
  } catch {
    return undefined
  }
}

function parseSettings(settings: AccountSettings): AccountSettings {
  const options = read(sessionOptions, settings)
  const names: readonly string[] = settingNames
  if ('fault' in options || Object.keys(settings).some((name) => !names.includes(name))) throw new TypeError()
  return toSettings(options.value)
}
