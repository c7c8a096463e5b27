import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Finding, type Severity, toSubjectText } from '../finding.ts'
import type { Rule } from '../rule.ts'
import { toJsonText } from './json-text.ts'
import { escapeControls } from './plain-text.ts'
import { type Report, toOpenFindings } from './report.ts'

/**
 * SARIF 2.1.0 (OASIS): the help of every rule, and a result for each finding that failed (accepted ones too, with
 * their reason) or could not be told. Locations are lines of the config; fingerprints hold from run to run.
 */
export function renderSarif({ tool, rules, result }: Report): string {
  const accepted = result.findings.filter(({ suppressed }) => suppressed !== undefined)
  const results = [...toOpenFindings(result.findings), ...accepted]
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, version: tool.version, rules: rules.map(toDescriptor) } },
        columnKind: 'utf16CodeUnits',
        results: results.map((finding) => toResult(finding, rules)),
      },
    ],
  }
  return toJsonText(document)
}

function toDescriptor({ id, severity, title, why, wrong, right, fix, reference }: Rule) {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: why },
    help: {
      text: `${why}\n\nWrong: ${wrong}\nRight: ${right}\n\n${fix}`,
      markdown: `${why}\n\n**Wrong:** \`${wrong}\`\n\n**Right:** \`${right}\`\n\n${fix}`,
    },
    ...(reference === undefined ? {} : { helpUri: reference.url }),
    defaultConfiguration: { level: levels[severity] },
  }
}

function toResult(finding: Finding, rules: readonly Rule[]) {
  const isFail = finding.outcome === 'fail'
  const subject = toSubjectText(finding.subject)
  const text = `${subject}: ${finding.message}${finding.fix === undefined ? '' : `. Fix: ${finding.fix}`}`
  return {
    ruleId: finding.id,
    ruleIndex: rules.findIndex(({ id }) => id === finding.id),
    kind: isFail ? 'fail' : 'open',
    level: isFail ? levels[finding.severity] : 'none',
    message: { text: escapeControls(text) },
    locations: [toLocation(finding, subject)],
    partialFingerprints: { 'ruleAndSubject/v1': toFingerprint(finding, subject) },
    ...(finding.suppressed === undefined
      ? {}
      : { suppressions: [{ kind: 'external', justification: finding.suppressed.reason }] }),
  }
}

function toLocation({ location }: Finding, subject: string) {
  const logicalLocations = [{ fullyQualifiedName: escapeControls(subject) }]
  if (location?.line === undefined) return { logicalLocations }
  return {
    physicalLocation: {
      artifactLocation: { uri: toUriReference(location.file) },
      region: { startLine: location.line, startColumn: location.column ?? 1 },
    },
    logicalLocations,
  }
}

function toUriReference(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
}

function toFingerprint({ id }: Finding, subject: string): string {
  return createHash('sha256').update(`${id}\n${subject}`).digest('hex').slice(0, 32)
}

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' }
