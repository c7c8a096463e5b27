import { isDeepStrictEqual } from 'node:util'
import { escapeControls } from '../text/escape.ts'
import { toJsonText } from '../text/json-text.ts'
import { choosePaint, withoutColour } from '../text/paint.ts'
import { renderDifferences, renderLeftAlone } from './difference.ts'
import type { OpenAccount } from './open-account.ts'
import { readOptions, toSettings, withUnreadable } from './read-account.ts'
import { type Replaced, toReplaced } from './replaced.ts'
import { TWO_ACCOUNTS } from './report.ts'
import {
  type AccountSettings,
  compareSettings,
  countRemoved,
  findLeftAlone,
  renderScope,
  type SettingDifference,
} from './settings.ts'
import { findChangedSince, findNeeded, undo } from './undo.ts'
import type { Wanted } from './wanted.ts'

interface Application {
  /** Where the wanted settings come from: `the config`, or the name of a file. */
  readonly source: string
  /** Compares them although the keys belong to different accounts. */
  readonly force: boolean
  readonly dryRun: boolean
  /** Whether entries may be removed although nobody can be asked. */
  readonly mayRemove: boolean
  /** Keeps what a change is about to replace. Returns why it can't, as a clause. */
  readonly keep: (replaced: Replaced) => Promise<string | undefined>
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
  const read = await readOptions(client, keys)
  if (read.kind === 'two-accounts') return DIFFERENT_ACCOUNTS
  stdout(toJsonText(read.options))
  return 'done'
}

/** Prints what differs and changes it; at a terminal it asks first. */
export async function applySettings(
  account: OpenAccount,
  application: Application,
  { env, stdoutIsTty, stdout, stderr, ask }: Dialogue,
): Promise<'done' | 'findings' | Stop> {
  const { source, dryRun, mayRemove } = application
  const differences = await compare(account, application, stderr)
  if ('message' in differences) return differences
  if (differences.length === 0) {
    stderr(source === 'the config' ? IN_STEP : `Nothing of ${source} is left to undo in the account.\n`)
    return 'done'
  }
  stdout(renderDifferences(differences, source, choosePaint({ env, stdoutIsTty })))
  if (dryRun) {
    stderr('Nothing was changed, since this is a dry run.\n')
    return 'done'
  }
  const removed = countRemoved(differences)
  if (removed > 0 && !mayRemove && ask === undefined) {
    stderr(
      `Nothing was changed: this removes ${removed} ${removed === 1 ? 'entry' : 'entries'}, and there is no terminal to ask at. Allow it with --remove.\n`,
    )
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

function compareTo(settings: AccountSettings, { wanted, own, undo: changes }: Wanted) {
  return compareSettings(settings, changes === undefined ? wanted : undo(settings, changes), own)
}

async function compare(
  account: OpenAccount,
  { force }: Application,
  tell: (message: string) => void,
): Promise<readonly SettingDifference[] | Stop> {
  const read = await readOptions(account.client, account.keys)
  if (read.kind === 'two-accounts') {
    if (!force) return DIFFERENT_ACCOUNTS
    tell('Overriding account/other-account.\n')
  }
  const settings = read.kind === 'options' ? read.options : toSettings(await account.client.options.get())
  tell(renderLeftAlone(findLeftAlone(settings, account.wanted, account.own)))
  const { undo: changes } = account
  if (changes !== undefined) {
    for (const scope of findChangedSince(settings, changes))
      tell(`Changed since, left alone: ${escapeControls(renderScope(scope))}\n`)
    for (const name of findNeeded(settings, changes))
      tell(`Left on, since points that were added since need it: ${name}\n`)
  }
  return compareTo(settings, account)
}

/** Changes it and compares again: the account's plan may limit what is stored. */
async function change(
  account: OpenAccount,
  differences: readonly SettingDifference[],
  { force, keep }: Application,
): Promise<readonly SettingDifference[] | Stop> {
  const { client, keys } = account
  // With the widget's key if it is known, since that is how the widget reads it.
  const byWidget = keys.widgetKey === undefined || force ? {} : { widgetKey: keys.widgetKey }
  const compareNow = async (by: object) => compareTo(toSettings(await client.options.get(by)), account)
  const replaced = toReplaced(account, differences)
  const now = await client.options.get()
  const fault = isDeepStrictEqual(compareTo(toSettings(now), account), differences)
    ? await keep(replaced)
    : 'its settings are no longer what was shown. Run the command again to see what differs now'
  if (fault !== undefined)
    return { message: `the account: not changed, since ${fault}`, outcome: 'inconclusive' }
  await client.options.change(withUnreadable(replaced.after, now))
  const left = await compareNow(byWidget)
  // Of accounts with equal settings only a change tells which of them a key belongs to.
  if (isDeepStrictEqual(left, differences) && !isDeepStrictEqual(await compareNow({}), differences)) {
    await client.options.change(withUnreadable(replaced.before, now))
    const { message, outcome } = DIFFERENT_ACCOUNTS
    return { message: `${message}. What was changed is put back, so the kept file is not needed`, outcome }
  }
  return left
}

/** Says that nothing differs. */
export const IN_STEP = 'The account matches the config.\n'

const DIFFERENT_ACCOUNTS: Stop = { message: `the account: ${TWO_ACCOUNTS}`, outcome: 'findings' }
