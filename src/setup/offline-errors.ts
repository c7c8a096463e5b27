import { check } from '../check/check.ts'
import { describeSubject, type Finding } from '../check/finding.ts'
import { printWholeFix } from '../check/fix.ts'
import { gatherOfflineFacts } from '../check/offline-facts.ts'
import { rules } from '../check/rules/index.ts'
import { weigh } from '../check/summary.ts'
import type { Config } from '../config/config.ts'
import { toPlainText } from '../text/escape.ts'

/** The errors that `check --offline` finds in this config; applying it would repeat them in the account. */
export function findErrors(config: Config): readonly Finding[] {
  const choice = { only: [], skip: [], suppress: config.suppress }
  const { findings } = check(gatherOfflineFacts(config), rules, choice)
  return findings.filter((finding) => weigh(finding) === 'error')
}

export function renderErrors(errors: readonly Finding[]): string {
  return errors
    .map(({ id, subject, message, fix }) =>
      [
        `${id}  ${toPlainText(describeSubject(subject))}`,
        `  ${toPlainText(message)}`,
        ...(fix === undefined ? [] : [`  fix  ${toPlainText(printWholeFix(fix))}`]),
        '',
      ].join('\n'),
    )
    .join('')
}
