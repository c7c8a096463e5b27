import type { CookieTransferScope } from '../api/session-options.ts'
import { type AccountSettings, renderScope, SWITCH_NAMES, toCookieKey, toUrlKey } from './settings.ts'

/** The settings that a run changed: what they were before, and what it made of them. */
export interface SettingChanges {
  readonly before: AccountSettings
  readonly after: AccountSettings
}

/** What a run removed is there again, what it added is gone, and what others changed since stays. */
export function undo(now: AccountSettings, { before, after }: SettingChanges): AccountSettings {
  const needed: readonly string[] = findNeeded(now, { before, after })
  const switches = SWITCH_NAMES.flatMap((name) =>
    (now[name] ?? false) === after[name] && !needed.includes(name) ? [[name, before[name]] as const] : [],
  )
  const { cookie_transfer_urls: urls, cookie_transfer_scopes: scopes } = before
  const changed = new Set(findChangedSince(now, { before, after }).map(toCookieKey))
  return {
    ...Object.fromEntries(switches),
    cookie_transfer_urls:
      urls && undoList(now.cookie_transfer_urls, urls, after.cookie_transfer_urls, toUrlKey),
    cookie_transfer_scopes:
      scopes &&
      undoList(
        now.cookie_transfer_scopes,
        scopes.filter((scope) => !changed.has(toCookieKey(scope))),
        after.cookie_transfer_scopes,
        renderScope,
      ),
  }
}

/** The switches that the run has switched on and that stay on, since others have added points that need them. */
export function findNeeded(
  { cookie_transfer_urls: urls = [] }: AccountSettings,
  { before, after }: SettingChanges,
): readonly (keyof AccountSettings)[] {
  const known = new Set(
    [...(before.cookie_transfer_urls ?? urls), ...(after.cookie_transfer_urls ?? [])].map(toUrlKey),
  )
  if (urls.every((url) => known.has(toUrlKey(url)))) return []
  return SWITCH_NAMES.filter((name) => after[name] && name !== 'enable_cookie_backtransfer')
}

/** The cookies that the run added or removed and that are now there with another httponly: they are left alone. */
export function findChangedSince(
  { cookie_transfer_scopes: now = [] }: AccountSettings,
  {
    before: { cookie_transfer_scopes: before = [] },
    after: { cookie_transfer_scopes: after = [] },
  }: SettingChanges,
): readonly CookieTransferScope[] {
  const known = new Set([...before, ...after].map(renderScope))
  const concerned = new Set([...before, ...after].map(toCookieKey))
  return now.filter((scope) => !known.has(renderScope(scope)) && concerned.has(toCookieKey(scope)))
}

/** In the order of before; what others have added follows. */
function undoList<Entry>(
  now: readonly Entry[] = [],
  before: readonly Entry[],
  after: readonly Entry[] = [],
  toKey: (entry: Entry) => string,
): readonly Entry[] {
  const [inNow, inBefore, inAfter] = [now, before, after].map((list) => new Set(list.map(toKey)))
  return [
    ...before.filter((entry) => inNow?.has(toKey(entry)) || !inAfter?.has(toKey(entry))),
    ...now.filter((entry) => !inBefore?.has(toKey(entry)) && !inAfter?.has(toKey(entry))),
  ]
}
