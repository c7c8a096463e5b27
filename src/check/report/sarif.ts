import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { escapeControls } from '../../text/escape.ts'
import { toJsonText } from '../../text/json-text.ts'
import { describeSubject, type Finding, type Severity } from '../finding.ts'
import { printWholeFix } from '../fix.ts'
import type { Rule } from '../rule.ts'
import { rank, weigh } from '../summary.ts'
import type { Report } from './report.ts'

/** SARIF 2.1.0 (OASIS). Locations are lines of the config; fingerprints are stable from run to run. */
export function renderSarif({ tool, rules, result }: Report): string {
  const shown = result.findings
    .filter(({ outcome }) => outcome !== 'pass' && outcome !== 'skipped')
    .toSorted((a, b) => rank(weigh(a)) - rank(weigh(b)))
  const placed = result.findings.find(({ location }) => location?.line !== undefined)
  const file = placed?.location?.file ?? 'config.json'
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, version: tool.version, rules: rules.map(describeRule) } },
        columnKind: 'utf16CodeUnits',
        results: shown.map((finding) => describeFinding(finding, rules, file)),
      },
    ],
  }
  return toJsonText(document)
}

function describeRule({ id, severity, title, why, wrong, right, fix, reference }: Rule) {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: why },
    help: {
      text: `${why}\n\nWrong: ${wrong}\nRight: ${right}\n\n${fix}`,
      markdown: `${why}\n\n**Wrong:** \`${wrong}\`\n\n**Right:** \`${right}\`\n\n${fix}`,
    },
    helpUri: reference?.url,
    defaultConfiguration: { level: LEVELS[severity] },
  }
}

function describeFinding(finding: Finding, rules: readonly Rule[], file: string) {
  const isFail = finding.outcome === 'fail'
  const subject = describeSubject(finding.subject)
  const fingerprint = createHash('sha256').update(`${finding.id}\n${subject}`).digest('hex')
  const text = `${subject}: ${finding.message}${finding.fix === undefined ? '' : `. Fix: ${printWholeFix(finding.fix)}`}`
  return {
    ruleId: finding.id,
    ruleIndex: rules.findIndex(({ id }) => id === finding.id),
    kind: isFail ? 'fail' : 'open',
    level: isFail ? LEVELS[finding.severity] : 'none',
    message: { text: toMessage(text) },
    locations: [locate(finding, subject, file)],
    partialFingerprints: { 'ruleAndSubject/v1': fingerprint.slice(0, 32) },
    suppressions: finding.suppressed && [{ kind: 'external', justification: finding.suppressed.reason }],
  }
}

/** Text for a message (section 3.11), in which `[text](target)` is a link and `{0}` a placeholder. */
function toMessage(text: string): string {
  return escapeControls(text).replaceAll('](', ']\\(').replace(/[{}]/g, '$&$&')
}

// Findings without a line (an account's option, a URL from the command line) are placed at the top of the config, since
// code scanning drops results without a location in a file.
function locate({ location }: Finding, subject: string, file: string) {
  const { line = 1, column = 1 } = location ?? {}
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeUriReference(location?.line === undefined ? file : location.file) },
      region: { startLine: line, startColumn: column },
    },
    logicalLocations: [{ fullyQualifiedName: escapeControls(subject) }],
  }
}

function encodeUriReference(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
}

const LEVELS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' }
