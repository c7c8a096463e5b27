import { toBreakable, toMarkup } from '../../text/escape.ts'
import { type Program, withCommand } from '../../text/typed-command.ts'
import { indexBy } from '../by-key.ts'
import type { Cause } from '../causes.ts'
import { describeSubject, type Finding, toFindingKey } from '../finding.ts'
import { describeFix, type FindingFix } from '../fix.ts'
import type { NotJudged } from '../not-judged.ts'
import type { Rule } from '../rule.ts'
import { type Weight, weigh } from '../summary.ts'
import { countQuiet } from './conclusion.ts'
import { describeEvidence } from './evidence.ts'
import { describeExtent, describeLocation, MARKS } from './report.ts'
import { groupVariants, type Variant } from './variants.ts'

/** A failure with its subjects, evidence, fix and consequences. */
export function renderCause(cause: Cause, rules: ReadonlyMap<string, Rule>, program: Program): string {
  const [first] = cause.findings
  const variants = groupVariants(cause).map((each) => renderVariant(each, program))
  const { length } = cause.waiting
  const checks = length === 1 ? 'One more check waits' : `${length} more checks wait`
  const waiting = length === 0 ? '' : `<p class="extent">${checks} for this.</p>\n`
  return `<section class="cause ${weigh(first)}">
<h3>${renderLabel(first)} <code>${toMarkup(first.id)}</code></h3>
${variants.join('\n')}
${renderConsequences(cause.consequences)}${waiting}${renderHelp(rules.get(first.id))}
</section>`
}

/** An inconclusive cause: the reason, and how many checks depend on it. */
export function renderInconclusive(cause: Cause): string {
  const [first] = cause.findings
  return `<li class="inconclusive"><details><summary>${toBreakable(first.message)} <span class="extent">${toBreakable(describeExtent(cause))}</span></summary>
<div class="boxes">
${cause.findings.map(renderNamedBox).join('\n')}
</div></details></li>`
}

export function renderNotJudged({ what, why, next, command }: NotJudged, program: Program): string {
  const [start = '', ...rest] = what
  return `<li>${toBreakable(`${start.toUpperCase()}${rest.join('')}: ${why}`)}. <span class="extent">To change that, ${toBreakable(withCommand(next, command, program))}.</span></li>`
}

function renderVariant({ findings, message, fix }: Variant, program: Program): string {
  return `<p class="message">${toBreakable(message)}</p>
<div class="subjects">
${foldBoxes(findings.map(renderSubjectBox))}
</div>
${renderEvidence(findings)}${fix === undefined ? '' : renderFix(fix, program)}`
}

function renderFix(fix: FindingFix, program: Program): string {
  const lines = fix.lines.map(
    ([name, line]) => `<dt>${toBreakable(name)}</dt><dd><code>${toBreakable(line)}</code></dd>`,
  )
  const list = lines.length === 0 ? '' : `<dl class="evidence">${lines.join('')}</dl>`
  const { otherwise, ...first } = fix
  const ways = [describeFix(first, program), ...(otherwise === undefined ? [] : [`or ${otherwise}`])]
  const items = ways.map((way) => `<p class="fix">${toBreakable(way)}</p>`)
  return `<p class="label">Fix</p>${items.join('')}${list}`
}

/** All boxes, folded after the first ten. */
function foldBoxes(boxes: readonly string[]): string {
  const folded = boxes.slice(MOST_OPEN)
  if (folded.length === 0) return boxes.join('\n')
  return `${boxes.slice(0, MOST_OPEN).join('\n')}
<details><summary class="extent">and ${folded.length} more</summary>
${folded.join('\n')}
</details>`
}

function renderEvidence(findings: Variant['findings']): string {
  const rows = describeEvidence(findings).map(
    ({ label, text }) => `<dt>${toBreakable(label)}</dt><dd>${toBreakable(text)}</dd>`,
  )
  return rows.length === 0 ? '' : `<dl class="evidence">${rows.join('')}</dl>\n`
}

function renderConsequences(consequences: readonly Finding[]): string {
  if (consequences.length === 0) return ''
  return `<p class="label">Also fixed by this</p>
<div class="boxes">
${foldBoxes(consequences.map(renderNamedBox))}
</div>
`
}

function renderNamedBox(finding: Finding): string {
  return renderSubjectBox(finding).replace('><span', `><code>${toMarkup(finding.id)}</code> <span`)
}

const MOST_OPEN = 10

/** The box of one check within its cause: the subject and its location in the config. */
function renderSubjectBox(finding: Finding): string {
  const where = describeLocation(finding)
  const placed = where === '' ? '' : ` <span class="place">${toBreakable(where)}</span>`
  return `${openTag(finding)}<span class="subject">${toBreakable(describeSubject(finding.subject))}</span>${placed}</article>`
}

/** The box of a check that needs no attention, and how many times it ended so. */
function renderQuietBox(finding: Finding, times: number): string {
  const { id, message, suppressed, subject } = finding
  const text = suppressed === undefined ? message : `${message}: ${suppressed.reason}`
  const where = times === 1 ? describeSubject(subject) : `${times} times`
  return `${openTag(finding)}<h4>${renderLabel(finding)} <code>${toMarkup(id)}</code> <span class="extent">${toBreakable(where)}</span></h4><p>${toBreakable(text)}</p></article>`
}

/** A mark and a word, since colour alone is not accessible. */
function renderLabel(finding: Finding): string {
  const weight = weigh(finding)
  return `<span class="mark" aria-hidden="true">${MARKS[weight]}</span> <span class="word">${WORDS[weight]}</span>`
}

/** The help of a rule, folded; empty if there is no rule. */
function renderHelp(rule: Rule | undefined): string {
  if (rule === undefined) return ''
  const { title, why, wrong, right, fix, reference } = rule
  const link =
    reference &&
    `<p><a href="${toMarkup(reference.url)}" rel="noreferrer">${toBreakable(reference.text)}</a></p>`
  return `<details class="help"><summary><span class="question" aria-hidden="true">?</span> Why, with an example</summary>
<p><strong>${toBreakable(title)}.</strong> ${toBreakable(why)}</p>
<dl><dt>Wrong</dt><dd>${toBreakable(wrong)}</dd><dt>Right</dt><dd>${toBreakable(right)}</dd></dl>
<p>${toBreakable(fix)}</p>
${link ?? ''}</details>`
}

function openTag(finding: Finding): string {
  return `<article class="${weigh(finding)}" data-check="${toMarkup(finding.id)}" data-outcome="${finding.outcome}" data-severity="${finding.severity}">`
}

const WORDS: Readonly<Record<Weight, string>> = {
  error: 'Failed',
  warning: 'Warning',
  inconclusive: 'Not judged',
  info: 'Note',
  suppressed: 'Suppressed',
  skipped: 'Skipped',
  pass: 'Passed',
}

/** All checks that need no attention, folded by how they ended: what was said of several subjects once, unless it is suppressed. */
export function renderQuietSections(findings: readonly Finding[]): string {
  const byWeight = indexBy(findings, (finding) => [weigh(finding)])
  const sections = (['pass', 'skipped', 'suppressed'] as const).flatMap((weight) => {
    const quiet = byWeight.get(weight) ?? []
    const alike = indexBy(quiet, (each) => [
      each.suppressed ? toFindingKey(each) : `${each.id} ${each.message}`,
    ])
    const boxes = [...alike.values()].flatMap((all) =>
      all.slice(0, 1).map((first) => renderQuietBox(first, all.length)),
    )
    const box = `<details class="quiet"><summary>${countQuiet(quiet)}</summary>
<div class="boxes">
${boxes.join('\n')}
</div></details>`
    return quiet.length === 0 ? [] : box
  })
  return sections.join('\n')
}
