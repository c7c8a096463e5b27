import { ApiError } from '../api/errors.ts'
import { toJsonText } from '../text/json-text.ts'
import { choosePaint, withoutColour } from '../text/paint.ts'
import { renderDifferences } from './difference.ts'
import type { OpenAccount } from './open-accounts.ts'
import { toAccountText } from './report.ts'
import type { SettingDifference } from './settings.ts'

/** What one command shows of an account and makes match the config. */
export interface AccountPart {
  /** What the account is compared with: `the config`, or the name of a file. */
  readonly source: string
  /** Reads it, for JSON. */
  show(account: OpenAccount): Promise<{ readonly value: object } | Incomparable>
  /** Reads it, and compares it with the config. */
  compare(account: OpenAccount): Promise<readonly SettingDifference[] | Incomparable>
  /** Changes it, says what was `done` in a sentence, and compares again: the account's plan may limit what is stored. */
  change(
    account: OpenAccount,
    differences: readonly SettingDifference[],
  ): Promise<
    { readonly done: string; readonly left: readonly SettingDifference[] | Incomparable } | Incomparable
  >
  /** How many entries of the account the change removes, where that needs a permission. */
  countRemoved(differences: readonly SettingDifference[]): number
  /** Says, as a sentence, that nothing differs. */
  inStep(account: string): string
}

/** Why an account can't be shown or compared, as a clause, and whether that is a finding. */
export interface Incomparable {
  readonly reason: string
  readonly outcome: 'findings' | 'inconclusive'
}

/** Why a command ends before it changes anything. */
export interface Stop extends Pick<Incomparable, 'outcome'> {
  readonly message: string
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

/** Prints the part of each account as JSON; of several accounts, by their names. */
export async function showPart(
  part: AccountPart,
  accounts: readonly OpenAccount[],
  { stdout }: Pick<Dialogue, 'stdout'>,
): Promise<'done' | Stop> {
  const shown: [string, object][] = []
  for (const account of accounts) {
    const read = await nameInErrors(account, part.show(account))
    if ('reason' in read) return toStop(account, read)
    shown.push([account.config.name ?? '', read.value])
  }
  stdout(toJsonText(accounts.length === 1 ? shown[0]?.[1] : Object.fromEntries(shown)))
  return 'done'
}

/**
 * Prints what differs and changes it; at a terminal it asks first. Every account is read before the first one is changed.
 *
 * @param flags `mayRemove`: whether entries may be removed although nobody can be asked
 */
export async function applyPart(
  part: AccountPart,
  accounts: readonly OpenAccount[],
  { dryRun, mayRemove }: { readonly dryRun: boolean; readonly mayRemove: boolean },
  dialogue: Dialogue,
): Promise<'done' | 'findings' | Stop> {
  const plans: { readonly account: OpenAccount; readonly differences: readonly SettingDifference[] }[] = []
  for (const account of accounts) {
    const differences = await nameInErrors(account, part.compare(account))
    if ('reason' in differences) return toStop(account, differences)
    plans.push({ account, differences })
  }
  const removed = plans.reduce((sum, { differences }) => sum + part.countRemoved(differences), 0)
  const unchanged = dryRun
    ? 'Nothing was changed, since this is a dry run.\n'
    : removed > 0 && !mayRemove && dialogue.ask === undefined
      ? `Nothing was changed: this removes ${removed} ${removed === 1 ? 'entry' : 'entries'}, and there is no terminal to ask at. Allow it with --remove.\n`
      : undefined
  let outcome: 'done' | 'findings' = 'done'
  for (const { account, differences } of plans) {
    const matches = await applyTo(part, account, differences, unchanged, dialogue)
    if (typeof matches === 'object') return matches
    if (!matches && !dryRun) outcome = 'findings'
  }
  if (unchanged !== undefined && plans.some(({ differences }) => differences.length > 0)) {
    dialogue.stderr(unchanged)
  }
  return outcome
}

/** @returns whether the account matches the config now */
async function applyTo(
  part: AccountPart,
  account: OpenAccount,
  differences: readonly SettingDifference[],
  unchanged: string | undefined,
  { env, stdoutIsTty, stdout, stderr, ask }: Dialogue,
): Promise<boolean | Stop> {
  const name = toAccountText(account.config)
  const subject = name.replace(/^t/, 'T')
  if (differences.length === 0) {
    stderr(part.inStep(name))
    return true
  }
  const paint = choosePaint({ env, stdoutIsTty })
  stdout(renderDifferences(differences, name, part.source, paint))
  if (unchanged !== undefined) return false
  if (ask !== undefined && !/^ *y(?:es)? *$/i.test((await ask(`Change ${name}? [y/N] `)) ?? '')) {
    stderr(`${subject} was left as it is.\n`)
    return false
  }
  const changed = await nameInErrors(account, part.change(account, differences))
  if ('reason' in changed) return toStop(account, changed)
  const { done, left } = changed
  if ('reason' in left) {
    stderr(`${subject} did not store everything: ${left.reason}.\n`)
    return false
  }
  if (left.length === 0) {
    stderr(done)
    return true
  }
  stderr(`${subject} did not store everything; its plan may not allow it.\n`)
  stderr(renderDifferences(left, name, part.source, withoutColour))
  return false
}

/** @throws Error in place of ApiError, its cause, if the config has several accounts: `the account of https://…` */
export async function nameInErrors<Result>(
  { config }: OpenAccount,
  result: Promise<Result>,
): Promise<Result> {
  try {
    return await result
  } catch (error) {
    if (!(error instanceof ApiError) || config.name === undefined) throw error
    throw new Error(toAccountText(config), { cause: error })
  }
}

export function toStop({ config }: OpenAccount, { reason, outcome }: Incomparable): Stop {
  return { message: `${toAccountText(config)}: ${reason}`, outcome }
}
