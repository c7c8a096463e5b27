import type { Finding } from '../finding.ts'
import { summarize } from '../summary.ts'
import { toJsonPieces } from './json-text.ts'
import type { Report } from './report.ts'

/** The report for programs, `schemaVersion` 1, piece by piece: members are added, never renamed or removed. */
export function renderJson({ tool, mode, exitCode, result }: Report): Iterable<string> {
  const { findings, cookies, suggestion } = result
  return toJsonPieces({
    schemaVersion: 1,
    tool,
    mode,
    exitCode,
    summary: summarize(findings),
    checks: findings.map(toCheck),
    cookies,
    suggestedPoints: suggestion?.urls,
  })
}

function toCheck(finding: Finding) {
  const { id, outcome, severity, subject, message, fix, because, evidence, location, suppressed } = finding
  return { id, outcome, severity, subject, message, fix, because, evidence, location, suppressed }
}
