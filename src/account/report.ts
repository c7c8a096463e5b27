import type { CookieTransferScope } from '../api/session-options.ts'
import { redactUrl } from '../http/url.ts'
import { escapeControls } from '../text/escape.ts'
import type { Paint } from '../text/paint.ts'
import { type LeftAlone, renderScope, type SettingDifference } from './settings.ts'

export const TWO_ACCOUNTS =
  'the REST key and the widget key belong to different accounts (account/other-account): take both from the integration panel of one'

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
