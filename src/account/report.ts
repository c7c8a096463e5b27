import { toPlainText } from '../text/escape.ts'
import { toJsonText } from '../text/json-text.ts'
import type { Paint } from '../text/paint.ts'
import { renderDifferences, renderLines, toReported } from './difference.ts'
import type { LeftAlone, SettingDifference } from './settings.ts'

export interface ComparedAccount {
  /** What differs; `two-accounts` if its keys belong to different accounts, so that they can't be compared. */
  readonly differences: readonly SettingDifference[] | 'two-accounts'
  readonly leftAlone: readonly LeftAlone[]
}

export const DIFF_FORMATS = ['pretty', 'json', 'github'] as const

type DiffFormat = (typeof DIFF_FORMATS)[number]

interface DiffReport {
  readonly tool: { readonly name: string; readonly version: string }
  readonly exitCode: number
  /** Absent if it was not asked. */
  readonly account: ComparedAccount | undefined
}

/** The differences in one of the formats; only `pretty` is coloured. `pretty` and `github` are empty if there are none. */
export function renderDiff(report: DiffReport, format: DiffFormat, paint: Paint): string {
  return RENDERERS[format](report, paint)
}

export const TWO_ACCOUNTS =
  'the REST key and the widget key belong to different accounts (account/other-account): take both from the integration panel of one'

function renderPretty({ account }: DiffReport, paint: Paint): string {
  if (account?.differences === 'two-accounts') return `the account: ${TWO_ACCOUNTS}\n`
  return renderDifferences(account?.differences ?? [], 'the config', paint)
}

function renderJson({ tool, exitCode, account }: DiffReport): string {
  return toJsonText({ schemaVersion: 1, tool, exitCode, account: account && toShown(account) })
}

function toShown({ differences, leftAlone }: ComparedAccount) {
  if (differences === 'two-accounts') return { outcome: 'other-account', differences: [], leftAlone }
  const outcome = differences.length === 0 ? 'same' : 'differs'
  return { outcome, differences: differences.map(toReported), leftAlone }
}

function renderGithub({ account }: DiffReport): string {
  return listFaults(account)
    .map(({ name, lines }) => {
      const line = `the account: ${lines.map(toPlainText).join('; ')}`
      return `::error title=settings ${name}::${line.replaceAll('%', '%25')}\n`
    })
    .join('')
}

/** What differs, by its name. */
function listFaults(account: ComparedAccount | undefined) {
  if (account === undefined) return []
  const { differences } = account
  if (differences === 'two-accounts') return [{ name: 'account/other-account', lines: [TWO_ACCOUNTS] }]
  return differences.map((difference) => ({ name: difference.setting, lines: renderLines(difference) }))
}

const RENDERERS: Readonly<Record<DiffFormat, (report: DiffReport, paint: Paint) => string>> = {
  pretty: renderPretty,
  json: renderJson,
  github: renderGithub,
}
