import { toMarkup } from '../../../text/escape.ts'
import { type Finding, toSubjectText } from '../../finding.ts'
import type { Rule } from '../../rule.ts'
import { bySubject, toLocationText, toWeight, type Weight } from '../report.ts'

/** The box of one check within its cause: the subject and its location in the config. */
export function toSubjectBox(finding: Finding): string {
  const where = toLocationText(finding)
  const placed = where === '' ? '' : ` <span class="place">${toMarkup(where)}</span>`
  return `${openTag(finding)}<span class="subject">${toMarkup(toSubjectText(finding.subject))}</span>${placed}</article>`
}

/** The box of one check that needs no attention. */
function toQuietBox(finding: Finding): string {
  const { message, suppressed } = finding
  const text = suppressed === undefined ? message : `${message}: ${suppressed.reason}`
  return `${openTag(finding)}<h4>${toLabel(finding)} <code>${toMarkup(finding.id)}</code></h4><p>${toMarkup(text)}</p></article>`
}

/** A mark and a word, since colour alone is not accessible. */
export function toLabel(finding: Finding): string {
  const weight = toWeight(finding)
  return `<span class="mark" aria-hidden="true">${marks[weight]}</span> <span class="word">${words[weight]}</span>`
}

/** The help of a rule, folded; empty if there is no rule. */
export function toHelp(rule: Rule | undefined): string {
  if (rule === undefined) return ''
  const { title, why, wrong, right, fix, reference } = rule
  const link =
    reference === undefined
      ? ''
      : `<p><a href="${toMarkup(reference.url)}" rel="noreferrer">${toMarkup(reference.text)}</a></p>`
  return `<details class="help"><summary><span class="question" aria-hidden="true">?</span> Why, and how to fix it</summary>
<p><strong>${toMarkup(title)}.</strong> ${toMarkup(why)}</p>
<dl><dt>Wrong</dt><dd>${toMarkup(wrong)}</dd><dt>Right</dt><dd>${toMarkup(right)}</dd></dl>
<p>${toMarkup(fix)}</p>
${link}</details>`
}

function openTag(finding: Finding): string {
  return `<article class="${toWeight(finding)}" data-check="${toMarkup(finding.id)}" data-outcome="${finding.outcome}" data-severity="${finding.severity}">`
}

const marks: Readonly<Record<Weight, string>> = {
  error: '✖',
  warning: '▲',
  inconclusive: '?',
  info: '●',
  suppressed: '○',
  skipped: '–',
  pass: '✔',
}

const words: Readonly<Record<Weight, string>> = {
  error: 'Failed',
  warning: 'Warning',
  inconclusive: 'Not judged',
  info: 'Note',
  suppressed: 'Suppressed',
  skipped: 'Skipped',
  pass: 'Passed',
}

/** All checks that need no attention, folded by subject. */
export function toQuietSections(findings: readonly Finding[]): string {
  return [...bySubject(findings.filter(isQuiet))]
    .map(([subject, group]) => toSection(subject, group))
    .join('\n')
}

function toSection(subject: string, findings: readonly Finding[]): string {
  return `<details class="quiet"><summary><span class="subject">${toMarkup(subject)}</span> <span class="extent">${toTally(findings)}</span></summary>
<div class="boxes">
${findings.map(toQuietBox).join('\n')}
</div></details>`
}

function toTally(findings: readonly Finding[]): string {
  return quiet
    .map((weight) => [findings.filter((finding) => toWeight(finding) === weight).length, weight] as const)
    .filter(([count]) => count > 0)
    .map(([count, weight]) => `${count} ${weight === 'pass' ? 'passed' : weight}`)
    .join(', ')
}

function isQuiet(finding: Finding): boolean {
  return quiet.includes(toWeight(finding))
}

const quiet: readonly Weight[] = ['pass', 'skipped', 'suppressed']
