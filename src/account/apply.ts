import { isDeepStrictEqual } from 'node:util'
import { findExcess } from '../api/answer.ts'
import type { SessionOptions } from '../api/session-options.ts'
import { toJsonText } from '../text/json-text.ts'
import { choosePaint, withoutColour } from '../text/paint.ts'
import { keptOptions, read, toSettings } from './option-schemas.ts'
import { type OpenAccount, readOptions } from './read-account.ts'
import { renderDifferences, renderLeftAlone, TWO_ACCOUNTS } from './report.ts'
import {
  type AccountSettings,
  compareSettings,
  countRemoved,
  findLeftAlone,
  type OwnHosts,
  type SettingDifference,
} from './settings.ts'

export interface Application {
  /** Where the wanted settings come from: `the config`, or the name of a file. */
  readonly source: string
  readonly dryRun: boolean
  /** Whose entries are compared: those of these hosts, or all. */
  readonly own: OwnHosts | 'all'
  /** Whether entries may be removed although nobody can be asked: `all`, also those of other hosts. */
  readonly mayRemove: 'none' | 'own' | 'all'
  /** Keeps the settings that a change is about to replace, and those that it makes. Returns why it can't, as a clause. */
  readonly keep: (before: AccountSettings, after: AccountSettings) => Promise<string | undefined>
}

/** Why the account can't be shown or compared, and whether that is a finding. */
export interface Stop {
  readonly message: string
  readonly outcome: 'findings' | 'inconclusive'
}

/** Where the user sees what is changed, and is asked. */
export interface Dialogue {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdoutIsTty: boolean
  stdout(text: string): void
  stderr(text: string): void
  /** Absent if there is nobody to ask. */
  readonly ask?: (question: string) => Promise<string | undefined>
}

/** Prints the settings of the account as JSON. */
export async function showSettings(
  { client, keys }: OpenAccount,
  { stdout }: Pick<Dialogue, 'stdout'>,
): Promise<'done' | Stop> {
  const said = await readOptions(client, keys)
  if (said.kind === 'two-accounts') return DIFFERENT_ACCOUNTS
  stdout(toJsonText(said.options))
  return 'done'
}

/** Prints what differs and changes it; at a terminal it asks first. */
export async function applySettings(
  account: OpenAccount,
  application: Application,
  { env, stdoutIsTty, stdout, stderr, ask }: Dialogue,
): Promise<'done' | 'findings' | Stop> {
  const { source, dryRun } = application
  const said = await readOptions(account.client, account.keys)
  if (said.kind === 'two-accounts') return DIFFERENT_ACCOUNTS
  const settings = said.options
  stderr(renderLeftAlone(findLeftAlone(settings, account.wanted, application.own)))
  const differences = compareSettings(settings, account.wanted, application.own)
  if (differences.length === 0) {
    stderr(`The account matches ${source}.\n`)
    return 'done'
  }
  stdout(renderDifferences(differences, source, choosePaint({ env, stdoutIsTty })))
  if (dryRun) {
    stderr('Nothing was changed, since this is a dry run.\n')
    return 'done'
  }
  const ofOwn = countRemoved(compareSettings(settings, account.wanted, account.own))
  const refusal = refuseRemoval(application, countRemoved(differences), ofOwn, ask !== undefined)
  if (refusal !== undefined) {
    stderr(`Nothing was changed: ${refusal}\n`)
    return 'findings'
  }
  if (ask !== undefined && !/^ *y(?:es)? *$/i.test((await ask('Change the account? [y/N] ')) ?? '')) {
    stderr('The account was left as it is.\n')
    return 'findings'
  }
  const left = await change(account, differences, application)
  if ('message' in left) return left
  if (left.length === 0) {
    stderr(`Changed ${differences.map(({ setting }) => setting).join(', ')} of the account.\n`)
    return 'done'
  }
  stderr('The account did not store everything; its plan may not allow it.\n')
  stderr(renderDifferences(left, source, withoutColour))
  return 'findings'
}

/** Why entries are not removed: those of other hosts only if that is allowed, others also if somebody can be asked. */
function refuseRemoval(
  { mayRemove }: Application,
  removed: number,
  ofOwn: number,
  isAsked: boolean,
): string | undefined {
  if (removed > ofOwn && mayRemove !== 'all')
    return `this removes ${countEntries(removed - ofOwn)} of other hosts. Allow it with --remove-foreign.`
  if (removed === 0 || mayRemove !== 'none' || isAsked) return undefined
  return `this removes ${countEntries(removed)}, and there is no terminal to ask at. Allow it with --remove.`
}

function countEntries(number: number): string {
  return `${number} ${number === 1 ? 'entry' : 'entries'}`
}

/** Changes it and compares again: the account's plan may limit what is stored. */
async function change(
  account: OpenAccount,
  differences: readonly SettingDifference[],
  { keep, own }: Application,
): Promise<readonly SettingDifference[] | Stop> {
  const { client, keys, wanted } = account
  // With the widget's key if it is known, since that is how the widget reads it.
  const byWidget = keys.widgetKey === undefined ? {} : { widgetKey: keys.widgetKey }
  const compare = (options: SessionOptions) => compareSettings(toSettings(options, keys.apiKey), wanted, own)
  const compareNow = async (by: object) => compare(await client.options.get(by))
  const before = toSettingsOf(differences, (each) => each.account ?? ('target' in each ? [] : false))
  const after = toSettingsOf(differences, (each) => ('target' in each ? each.target : each.config))
  const now = await client.options.get()
  const fault = isDeepStrictEqual(compare(now), differences)
    ? await keep(before, after)
    : 'its settings are no longer what was shown. Run the command again to see what differs now'
  if (fault !== undefined)
    return { message: `the account: not changed, since ${fault}`, outcome: 'inconclusive' }
  await client.options.change(after)
  const left = await compareNow(byWidget)
  // Of accounts with equal settings only a change tells which of them a key belongs to.
  if (isDeepStrictEqual(left, differences) && !isDeepStrictEqual(await compareNow({}), differences)) {
    await client.options.change(before)
    const { message, outcome } = DIFFERENT_ACCOUNTS
    return { message: `${message}. What was changed is put back, so the kept file is not needed`, outcome }
  }
  return left
}

function toSettingsOf(
  differences: readonly SettingDifference[],
  toValue: (each: SettingDifference) => unknown,
): AccountSettings {
  return Object.fromEntries(differences.map((each) => [each.setting, toValue(each)]))
}

/** Reads what a change has replaced, or why it is not that, as a clause. */
export function parseReplaced(
  text: string,
): { readonly value: AccountSettings } | { readonly fault: string } {
  if (findExcess(text) !== undefined) return { fault: 'it is nested too deeply, or has too many elements' }
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? { fault: 'it is not an object' } : read(keptOptions, value)
  } catch {
    return { fault: 'it is not JSON' }
  }
}

const DIFFERENT_ACCOUNTS: Stop = { message: `the account: ${TWO_ACCOUNTS}`, outcome: 'findings' }
