import { createHmac, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { checked, listOf, one, optional, partial, read, strict, text, type ValueOf } from '../api/schema.ts'
import { cookieOptions } from '../api/session-options.ts'
import type { Secret } from '../config/secret.ts'
import { toJsonText } from '../text/json-text.ts'
import type { OpenAccount } from './open-accounts.ts'
import { compareSettings, countRemoved, type SettingDifference } from './settings.ts'

const settings = partial(strict(cookieOptions))

/** What a run changed in an account. */
const entry = checked(
  strict({
    /** Its name, for a reader of the file. */
    account: optional(text),
    /** The root of its service's REST API. */
    service: text,
    /** What tells it from others: a digest of each of its keys that are known, each with this salt. */
    keys: strict({ salt: text, widgetKey: optional(text), apiKey: optional(text) }),
    before: settings,
    after: settings,
  }),
  ({ before, after }) => isDeepStrictEqual(Object.keys(before), Object.keys(after)),
  'an account with the same settings before and after',
)

const file = strict({
  schemaVersion: one,
  accounts: checked(listOf(entry), ({ length }) => length > 0, 'a list of accounts'),
})

/** What a run changed in each account. */
export type Replaced = ValueOf<typeof file>['accounts']

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
    keys: digestKeys(account, randomBytes(16).toString('base64url')),
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
  }
}

/** Whether undoing it takes entries out of a list. */
export function hasAdded(replaced: Replaced): boolean {
  return replaced.some(({ before, after }) => countRemoved(compareSettings(after, before, 'all')) > 0)
}

export function renderReplaced(accounts: Replaced): string {
  return toJsonText({ schemaVersion: 1, accounts })
}

/** @returns the accounts of the config with these changes to undo; or a fault, as a clause */
export function withReplaced(
  kept: string,
  accounts: readonly OpenAccount[],
): readonly OpenAccount[] | string {
  const replaced = parseReplaced(kept)
  if ('fault' in replaced) return `it is not a file that settings apply has kept: ${replaced.fault}`
  const found: OpenAccount[] = []
  for (const [index, entry] of replaced.value.accounts.entries()) {
    const [account, other] = accounts.filter((each) => isOf(entry, each))
    if (account === undefined)
      return `/accounts/${index} is of an account that is not in the config. Name the config of that run with --config`
    const isTaken = found.some(({ config }) => config.points === account.config.points)
    if (other !== undefined || isTaken)
      return `/accounts/${index} does not tell the accounts of the config apart. Name both keys of each in the config`
    found.push({ ...account, config: { ...account.config, own: 'all', undo: entry } })
  }
  return found
}

/** Whether all keys that both know are the same, and there is one. */
function isOf({ service, keys }: Replaced[number], account: OpenAccount): boolean {
  const digests = digestKeys(account, keys.salt)
  const known = (['widgetKey', 'apiKey'] as const).filter((name) => keys[name] && digests[name])
  return (
    service === account.service && known.length > 0 && known.every((name) => keys[name] === digests[name])
  )
}

function digestKeys({ keys: { widgetKey, apiKey } }: OpenAccount, salt: string): Replaced[number]['keys'] {
  const digest = (key: Secret | undefined) =>
    key && createHmac('sha256', salt).update(key.reveal()).digest('base64url')
  return { salt, widgetKey: digest(widgetKey), apiKey: digest(apiKey) }
}

function parseReplaced(kept: string) {
  try {
    return read(file, JSON.parse(kept))
  } catch {
    return { fault: 'it is not JSON' }
  }
}
