import type { CookieTransferScope } from '../api/session-options.ts'
import { redactUrl } from '../http/url.ts'
import { escapeControls, toPlainText } from '../text/escape.ts'
import { toJsonText } from '../text/json-text.ts'
import type { Paint } from '../text/paint.ts'
import { type LeftAlone, renderScope, type SettingDifference } from './settings.ts'

export interface ComparedAccount {
  /** What differs; `two-accounts` if its keys belong to different accounts, so that they can't be compared. */
  readonly differences: readonly SettingDifference[] | 'two-accounts'
  readonly leftAlone: readonly LeftAlone[]
}

export const DIFF_FORMATS = ['pretty', 'json', 'github'] as const

type DiffFormat = (typeof DIFF_FORMATS)[number]

/** The differences, if the account was asked. Only `pretty` is coloured; `pretty` and `github` are empty without any. */
export function renderDiff(
  report: { readonly tool: object; readonly exitCode: number; readonly account: ComparedAccount | undefined },
  format: DiffFormat,
  paint: Paint,
): string {
  const { account } = report
  if (format === 'json')
    return toJsonText({ schemaVersion: 1, ...report, account: account && toShown(account) })
  const differences = account?.differences ?? []
  if (format === 'github') return renderGithub(differences)
  return differences === 'two-accounts'
    ? `the account: ${TWO_ACCOUNTS}\n`
    : renderDifferences(differences, 'the config', paint)
}

export const TWO_ACCOUNTS =
  'the REST key and the widget key belong to different accounts (account/other-account): take both from the integration panel of one'

function toShown({ differences, leftAlone }: ComparedAccount) {
  if (differences === 'two-accounts') return { outcome: 'other-account', differences: [], leftAlone }
  const outcome = differences.length === 0 ? 'same' : 'differs'
  return { outcome, differences: differences.map(toReported), leftAlone }
}

function renderGithub(differences: ComparedAccount['differences']): string {
  const toError = (name: string, lines: readonly string[]) => {
    const line = `the account: ${lines.map(toPlainText).join('; ')}`
    return `::error title=settings ${name}::${line.replaceAll('%', '%25')}\n`
  }
  if (differences === 'two-accounts') return toError('account/other-account', [TWO_ACCOUNTS])
  return differences.map((each) => toError(each.setting, renderLines(each))).join('')
}

/** The differences in the format of a diff, one block for each setting: `-` is of the account, `+` of the `source`. */
export function renderDifferences(
  differences: readonly SettingDifference[],
  source: string,
  paint: Paint,
): string {
  if (differences.length === 0) return ''
  const paintLine = (line: string) => paint(line.startsWith('-') ? 'red' : 'green', line)
  const toBlock = (difference: SettingDifference) =>
    [paint('bold', difference.setting), ...renderLines(difference).map(paintLine)].join('\n')
  const head = ['--- the account', `+++ ${source}`].map(paintLine).join('\n')
  return `${[head, ...differences.map(toBlock)].join('\n\n')}\n`
}

/** The lines of one difference, escaped for a terminal: scopes are texts of the service. */
function renderLines(difference: SettingDifference): readonly string[] {
  const show = (entry: string | CookieTransferScope) =>
    typeof entry === 'string' ? redactUrl(entry) : renderScope(entry)
  const [removed, added] =
    'target' in difference
      ? [difference.surplus.map(show), difference.missing.map(show)]
      : [[difference.account ?? '(not there)'], [difference.config]]
  return [...removed.map((each) => `- ${each}`), ...added.map((each) => `+ ${each}`)].map(escapeControls)
}

/** One line for each entry that stays; empty if there is none. */
export function renderLeftAlone(entries: readonly LeftAlone[]): string {
  return entries.map(({ what, reason }) => `Left alone, since ${reason}: ${escapeControls(what)}\n`).join('')
}

/** The difference in a JSON report; URLs without credentials and query. */
function toReported(difference: SettingDifference): object {
  if (!('target' in difference)) return difference
  const { setting, surplus, missing } = difference
  const show = (entry: string | CookieTransferScope) => (typeof entry === 'string' ? redactUrl(entry) : entry)
  return { setting, surplus: surplus.map(show), missing: missing.map(show) }
}
