import type { Finding } from '../finding.ts'
import { summarize } from '../summary.ts'
import { toJsonText } from './json-text.ts'
import type { Report } from './report.ts'

/** The report for programs, `schemaVersion` 1: members are added, never renamed or removed. */
export function renderJson({ tool, mode, exitCode, result }: Report): string {
  const { findings, cookies, suggestion } = result
  const document = {
    schemaVersion: 1,
    tool,
    mode,
    exitCode,
    summary: summarize(findings),
    checks: findings.map(toCheck),
    cookies,
    ...(suggestion === undefined ? {} : { suggestedPoints: suggestion.urls }),
  }
  return toJsonText(document)
}

function toCheck(finding: Finding) {
  const { id, outcome, severity, subject, message, fix, because, evidence, location, suppressed } = finding
  return { id, outcome, severity, subject, message, fix, because, evidence, location, suppressed }
}
