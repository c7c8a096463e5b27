import { toMarkup } from '../../text/escape.ts'
import type { Finding } from '../finding.ts'
import { printWholeFix } from '../fix.ts'
import { describeEvidence } from './evidence.ts'
import { bySubject, describeLocation, type Report } from './report.ts'

/** JUnit XML: one testsuite per subject, one testcase per rule. An inconclusive check is an error, as a broken test is. */
export function renderJunit({ tool, result }: Report): string {
  const suites = [...bySubject(result.findings)].map(([subject, findings]) => renderSuite(subject, findings))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${toMarkup(tool.name)}"${renderCounts(result.findings)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

function renderSuite(subject: string, findings: readonly Finding[]): string {
  return [
    `  <testsuite name="${toMarkup(subject)}"${renderCounts(findings)}>`,
    ...findings.map((finding) => renderCase(subject, finding)),
    '  </testsuite>',
  ].join('\n')
}

function renderCase(subject: string, finding: Finding): string {
  const open = `    <testcase name="${finding.id}" classname="${toMarkup(subject)}"`
  const element = chooseElement(finding)
  if (element === undefined) return `${open}/>`
  const { outcome, severity, message, suppressed } = finding
  const shown = toMarkup(suppressed === undefined ? message : `suppressed: ${suppressed.reason}`)
  const fix = finding.fix && printWholeFix(finding.fix)
  if (element === 'skipped') return `${open}><skipped message="${shown}"/></testcase>`
  if (element === 'system-out') {
    const text = fix === undefined ? message : `${message}. ${fix}`
    return `${open}><system-out>${toMarkup(text)}</system-out></testcase>`
  }
  const evidence = describeEvidence(finding).map(({ label, text }) => `${label}: ${text}`)
  const body = [...evidence, fix && `Fix: ${fix}`, describeLocation(finding)].filter(Boolean).join('\n')
  const type = outcome === 'fail' ? severity : outcome
  return `${open}><${element} type="${type}" message="${shown}">${body.split('\n').map(toMarkup).join('\n')}</${element}></testcase>`
}

type Element = 'failure' | 'error' | 'skipped' | 'system-out'

/** A note is printed, but is not a failure. */
function chooseElement({ outcome, severity, suppressed }: Finding): Element | undefined {
  if (outcome === 'pass') return undefined
  if (suppressed !== undefined || outcome === 'skipped') return 'skipped'
  if (outcome !== 'fail') return 'error'
  return severity === 'info' ? 'system-out' : 'failure'
}

function renderCounts(findings: readonly Finding[]): string {
  const count = (element: Element) => findings.filter((finding) => chooseElement(finding) === element).length
  return ` tests="${findings.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
}
