import { toJsonText } from '../text/json-text.ts'
import { choosePaint, withoutColour } from '../text/paint.ts'
import { type AccountDifference, renderDifferences } from './account-diff.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import type { OpenAccount } from './open-accounts.ts'
import { toAccountText } from './settings-report.ts'

/** What one command shows of an account and makes match the config. */
export interface AccountPart<Difference extends AccountDifference> {
  /** Reads it, for JSON. */
  show(account: OpenAccount): Promise<{ readonly value: object } | Incomparable>
  /** Reads it, and compares it with the config. */
  compare(account: OpenAccount): Promise<readonly Difference[] | Incomparable>
  /** Changes it, and compares again: the account's plan may limit what is stored. */
  change(
    account: OpenAccount,
    differences: readonly Difference[],
  ): Promise<{
    /** What was done, as a sentence. */
    readonly done: string
    readonly left: readonly Difference[] | Incomparable
  }>
  /** Says, as a sentence, that nothing differs. */
  inStep(account: string): string
}

/** Why an account can't be shown or compared, as a clause, and the exit code. */
interface Incomparable {
  readonly reason: string
  readonly code: ExitCode
}

/** Prints the part of each account as JSON; of several accounts, by their names. */
export async function showPart<Difference extends AccountDifference>(
  part: AccountPart<Difference>,
  accounts: readonly OpenAccount[],
  io: Io,
): Promise<ExitCode> {
  const shown: [string, object][] = []
  for (const account of accounts) {
    const read = await part.show(account)
    if ('reason' in read) return tellIncomparable(account, read, io)
    shown.push([account.config.name ?? '', read.value])
  }
  io.stdout(toJsonText(accounts.length === 1 ? shown[0]?.[1] : Object.fromEntries(shown)))
  return exitCode.done
}

/** Prints what differs and changes it; at a terminal it asks first. Every account is read before the first one is changed. */
export async function applyPart<Difference extends AccountDifference>(
  part: AccountPart<Difference>,
  accounts: readonly OpenAccount[],
  dryRun: boolean,
  io: Io,
): Promise<ExitCode> {
  const plans: { readonly account: OpenAccount; readonly differences: readonly Difference[] }[] = []
  for (const account of accounts) {
    const differences = await part.compare(account)
    if ('reason' in differences) return tellIncomparable(account, differences, io)
    plans.push({ account, differences })
  }
  let code: ExitCode = exitCode.done
  for (const { account, differences } of plans) {
    const matches = await applyTo(part, account, differences, dryRun, io)
    if (!matches && !dryRun) code = exitCode.findings
  }
  return code
}

/** @returns whether the account matches the config now */
async function applyTo<Difference extends AccountDifference>(
  part: AccountPart<Difference>,
  account: OpenAccount,
  differences: readonly Difference[],
  dryRun: boolean,
  io: Io,
): Promise<boolean> {
  const name = toAccountText(account.config)
  if (differences.length === 0) {
    io.stderr(part.inStep(name))
    return true
  }
  const paint = choosePaint({ flag: undefined, env: io.env, isTty: io.stdoutIsTty })
  io.stdout(renderDifferences(differences, name, paint))
  if (dryRun) {
    io.stderr('Nothing was changed, since this is a dry run.\n')
    return false
  }
  if (io.ask !== undefined && !/^ *y(?:es)? *$/i.test((await io.ask(`Change ${name}? [y/N] `)) ?? '')) {
    io.stderr('Nothing was changed.\n')
    return false
  }
  const { done, left } = await part.change(account, differences)
  if ('reason' in left) {
    io.stderr(`The account did not store everything: ${left.reason}.\n`)
    return false
  }
  if (left.length === 0) {
    io.stderr(done)
    return true
  }
  io.stderr('The account did not store everything; its plan may not allow it.\n')
  io.stderr(renderDifferences(left, name, withoutColour))
  return false
}

/** Says on stderr why an account can't be shown or compared. */
export function tellIncomparable({ config }: OpenAccount, { reason, code }: Incomparable, io: Io): ExitCode {
  io.stderr(`continuation-point: ${toAccountText(config)}: ${reason}\n`)
  return code
}
