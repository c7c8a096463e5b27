import { describeSubject } from '../check/finding.ts'
import { cutText } from '../text/escape.ts'
import { type Change, formerOutcome, type Verdict } from './verdicts.ts'

interface Notice {
  /** The same in every attempt of a call. */
  readonly id: string
  readonly atMs: number
  readonly version: string
  readonly changes: readonly Change[]
  /** How many verdicts are failures now, delivered or not. */
  readonly failing: number
}

/**
 * The JSON for the webhook. Chat services show `text`, so it holds only rule ids and texts of the config: nothing that a
 * point answered can become markup or a mention there.
 */
export function renderWebhookBody({ id, atMs, version, changes, failing }: Notice): string {
  const told = changes.slice(0, MOST_CHANGES)
  return JSON.stringify({
    schemaVersion: 1,
    tool: { name: 'continuation-point', version },
    id,
    time: new Date(atMs).toISOString(),
    text: renderText(changes),
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
    from: formerOutcome(change),
    to: outcome,
    severity,
    message: cutText(message, MOST_CHARACTERS),
    ...(fix !== undefined && { fix: cutText(fix, MOST_CHARACTERS) }),
    time: new Date(judgedAtMs).toISOString(),
  }
}

function renderText(changes: readonly Change[]): string {
  const lines = changes.slice(0, MOST_LINES).map(({ is }) => renderLine(is))
  const rest = changes.length - lines.length
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n')
}

function renderLine({ rule, subject, outcome, severity }: Verdict): string {
  const word = outcome === 'pass' ? 'recovered' : `failed (${severity})`
  return `continuation-point: ${rule} ${word}: ${describeSubject(subject)}`
}

const MOST_CHANGES = 100
const MOST_LINES = 10
const MOST_CHARACTERS = 1_000
