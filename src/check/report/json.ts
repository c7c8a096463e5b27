import { toJsonPieces } from '../../text/json-text.ts'
import { withCommand } from '../../text/typed-command.ts'
import type { Finding } from '../finding.ts'
import { printWholeFix } from '../fix.ts'
import { countProofs, summarize } from '../summary.ts'
import type { Report } from './report.ts'

/** The report for programs, in pieces. Within `schemaVersion` 1 members are added, never renamed or removed. */
export function renderJson({ tool, mode, exitCode, result }: Report): Iterable<string> {
  const { findings, causes, cookies, notJudged, suggestion } = result
  const causeOf = new Map(
    causes.flatMap(({ id, findings, consequences, waiting }) =>
      [...findings, ...consequences, ...waiting].map((finding) => [finding, id] as const),
    ),
  )
  return toJsonPieces({
    schemaVersion: 1,
    tool,
    mode,
    exitCode,
    summary: summarize(findings),
    checks: findings.map((finding) => describeCheck(finding, causeOf.get(finding))),
    cookies,
    notJudged: notJudged.map(({ command, next, ...each }) => ({ ...each, next: withCommand(next, command) })),
    proven: countProofs(findings),
    suggestedPoints: suggestion?.urls,
  })
}

function describeCheck(finding: Finding, cause: string | undefined) {
  const { id, outcome, severity, subject, message, because, evidence, location, suppressed, proof } = finding
  const fix = finding.fix && printWholeFix(finding.fix)
  const said = { id, outcome, severity, subject, message, fix, because, cause }
  return { ...said, evidence, location, suppressed, proof }
}
