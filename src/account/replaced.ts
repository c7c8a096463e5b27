import { createHmac, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { checked, one, optional, partial, read, strict, text, type ValueOf } from '../api/schema.ts'
import { cookieOptions } from '../api/session-options.ts'
import type { Secret } from '../config/secret.ts'
import type { OpenAccount } from './open-account.ts'
import { compareSettings, countRemoved, type SettingDifference } from './settings.ts'

const settings = partial(strict(cookieOptions))

/** What a run changed in the account. */
const file = checked(
  strict({
    schemaVersion: one,
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

export type Replaced = ValueOf<typeof file>

/** What a change replaces. A switch that is not there is off, a list that is not there empty. */
export function toReplaced(account: OpenAccount, differences: readonly SettingDifference[]): Replaced {
  const before = differences.map((each) => [each.setting, each.account ?? ('target' in each ? [] : false)])
  const after = differences.map((each) => [each.setting, 'target' in each ? each.target : each.config])
  return {
    schemaVersion: 1,
    service: account.service,
    keys: digestKeys(account, randomBytes(16).toString('base64url')),
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
  }
}

/** Whether undoing it takes entries out of a list. */
export function hasAdded({ before, after }: Replaced): boolean {
  return countRemoved(compareSettings(after, before, 'all')) > 0
}

/** @returns the account with these changes to undo; or a fault, as a clause */
export function withReplaced(kept: string, account: OpenAccount): OpenAccount | string {
  const replaced = parseReplaced(kept)
  if ('fault' in replaced) return `it is not a file that settings apply has kept: ${replaced.fault}`
  if (!isOf(replaced.value, account))
    return 'it is of an account that is not in the config. Name the config of that run with --config'
  return { ...account, own: 'all', undo: replaced.value }
}

/** Whether all keys that both know are the same, and there is one. */
function isOf({ service, keys }: Replaced, account: OpenAccount): boolean {
  const digests = digestKeys(account, keys.salt)
  const known = (['widgetKey', 'apiKey'] as const).filter((name) => keys[name] && digests[name])
  return (
    service === account.service && known.length > 0 && known.every((name) => keys[name] === digests[name])
  )
}

function digestKeys({ keys: { widgetKey, apiKey } }: OpenAccount, salt: string): Replaced['keys'] {
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
