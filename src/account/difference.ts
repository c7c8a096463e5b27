import type { CookieTransferScope } from '../api/session-options.ts'
import { redactUrl } from '../http/redact-url.ts'
import { escapeControls } from '../text/escape.ts'
import type { Paint } from '../text/paint.ts'
import { type LeftAlone, renderScope, type SettingDifference } from './settings.ts'

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
export function renderLines(difference: SettingDifference): readonly string[] {
  return toLines(difference).map(escapeControls)
}

/** One line for each entry that stays; empty if there is none. */
export function renderLeftAlone(entries: readonly LeftAlone[]): string {
  return entries.map(({ what, reason }) => `Left alone, since ${reason}: ${escapeControls(what)}\n`).join('')
}

/** The difference in a JSON report; URLs without credentials and query. */
export function toReported(difference: SettingDifference): object {
  if (!('target' in difference)) return difference
  const { setting, surplus, missing } = difference
  const show = (entry: string | CookieTransferScope) => (typeof entry === 'string' ? redactUrl(entry) : entry)
  return { setting, surplus: surplus.map(show), missing: missing.map(show) }
}

function toLines(difference: SettingDifference): readonly string[] {
  switch (difference.setting) {
    case 'cookie_transfer_urls':
      return toListLines(difference.surplus.map(redactUrl), difference.missing.map(redactUrl))
    case 'cookie_transfer_scopes':
      return toListLines(difference.surplus.map(renderScope), difference.missing.map(renderScope))
    default:
      return [`- ${difference.account ?? '(not there)'}`, `+ ${difference.config}`]
  }
}

function toListLines(surplus: readonly string[], missing: readonly string[]): readonly string[] {
  return [...surplus.map((entry) => `- ${entry}`), ...missing.map((entry) => `+ ${entry}`)]
}
