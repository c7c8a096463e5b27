import { redactUrl } from '../http/redact-url.ts'
import { toPlainText } from '../text/escape.ts'
import { toJsonText } from '../text/json-text.ts'
import type { Paint } from '../text/paint.ts'
import { renderDifferences, renderLines, toReported } from './difference.ts'
import type { LeftAlone, SettingDifference } from './settings.ts'

export interface ComparedAccount {
  /** The URL of its first point; absent if there is only one account. */
  readonly name: string | undefined
  /** What differs; `two-accounts` if its keys belong to different accounts, so that they can't be compared. */
  readonly differences: readonly SettingDifference[] | 'two-accounts'
  readonly leftAlone: readonly LeftAlone[]
}

export const DIFF_FORMATS = ['pretty', 'json', 'github'] as const

type DiffFormat = (typeof DIFF_FORMATS)[number]

interface DiffReport {
  readonly tool: { readonly name: string; readonly version: string }
  readonly exitCode: number
  readonly accounts: readonly ComparedAccount[]
}

/** The differences in one of the formats; only `pretty` is coloured. `pretty` and `github` are empty if there are none. */
export function renderDiff(report: DiffReport, format: DiffFormat, paint: Paint): string {
  return RENDERERS[format](report, paint)
}

/** `the account`, or `the account of https://…`. */
export function toAccountText({ name }: Pick<ComparedAccount, 'name'>): string {
  return name === undefined ? 'the account' : `the account of ${toPlainText(redactUrl(name))}`
}

export const TWO_ACCOUNTS =
  'the REST key and the widget key belong to different accounts (account/other-account): take both from the integration panel of one'

function renderPretty({ accounts }: DiffReport, paint: Paint): string {
  return accounts
    .map((account) => {
      if (account.differences === 'two-accounts') return `${toAccountText(account)}: ${TWO_ACCOUNTS}\n`
      return renderDifferences(account.differences, toAccountText(account), 'the config', paint)
    })
    .filter((text) => text !== '')
    .join('\n')
}

function renderJson({ tool, exitCode, accounts }: DiffReport): string {
  const shown = accounts.map(({ name, differences, leftAlone }) => ({
    account: name === undefined ? undefined : redactUrl(name),
    outcome: differences === 'two-accounts' ? 'other-account' : differences.length === 0 ? 'same' : 'differs',
    differences: differences === 'two-accounts' ? [] : differences.map(toReported),
    leftAlone,
  }))
  return toJsonText({ schemaVersion: 1, tool, exitCode, accounts: shown })
}

function renderGithub({ accounts }: DiffReport): string {
  return accounts
    .flatMap((account) =>
      listFaults(account).map(({ name, lines }) => {
        const line = `${toAccountText(account)}: ${lines.map(toPlainText).join('; ')}`
        return `::error title=settings ${name}::${line.replaceAll('%', '%25')}\n`
      }),
    )
    .join('')
}

function listFaults({ differences }: ComparedAccount) {
  if (differences === 'two-accounts') return [{ name: 'account/other-account', lines: [TWO_ACCOUNTS] }]
  return differences.map((difference) => ({ name: difference.setting, lines: renderLines(difference) }))
}

const RENDERERS: Readonly<Record<DiffFormat, (report: DiffReport, paint: Paint) => string>> = {
  pretty: renderPretty,
  json: renderJson,
  github: renderGithub,
}
