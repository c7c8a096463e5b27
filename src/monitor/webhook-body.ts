import { toSubjectText } from '../check/finding.ts'
import { type Change, toFormerOutcome, type Verdict } from './verdicts.ts'

/** What one call of the webhook tells. */
export interface Notice {
  /** The same when the call is repeated. */
  readonly id: string
  readonly atMs: number
  readonly version: string
  readonly changes: readonly Change[]
  /** How many verdicts fail now, told or not. */
  readonly failing: number
}

/**
 * The JSON that the webhook gets. Chat services show `text`: it is made of rules and of the config's own words alone, so
 * that nothing a point answered is read as markup or as a mention there.
 */
export function toWebhookBody({ id, atMs, version, changes, failing }: Notice): string {
  const told = changes.slice(0, MOST_CHANGES)
  return JSON.stringify({
    schemaVersion: 1,
    tool: { name: 'continuation-point', version },
    id,
    time: new Date(atMs).toISOString(),
    text: toText(changes),
    failing,
    changes: told.map(toEntry),
    leftOut: changes.length - told.length,
  })
}

function toEntry(change: Change) {
  const { rule, subject, outcome, severity, message, fix, judgedAtMs } = change.is
  return {
    rule,
    subject,
    from: toFormerOutcome(change),
    to: outcome,
    severity,
    message: cut(message),
    ...(fix !== undefined && { fix: cut(fix) }),
    time: new Date(judgedAtMs).toISOString(),
  }
}

function toText(changes: readonly Change[]): string {
  const lines = changes.slice(0, MOST_LINES).map(({ is }) => toLine(is))
  const rest = changes.length - lines.length
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')
}

function toLine({ rule, subject, outcome, severity }: Verdict): string {
  const word = outcome === 'pass' ? 'recovered' : `failed (${severity})`
  return `continuation-point: ${rule} ${word}: ${toSubjectText(subject)}`
}

function cut(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}

const MOST_CHANGES = 100
const MOST_LINES = 10
const MOST_CHARACTERS = 1_000
