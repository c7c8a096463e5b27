import { setTimeout as wait } from 'node:timers/promises'
import type { CheckResult } from '../check/check.ts'
import { describeSubject } from '../check/finding.ts'
import { countFindings } from '../check/report/conclusion.ts'
import type { Report } from '../check/report/report.ts'
import { chooseExitCode, summarize } from '../check/summary.ts'
import { advance, dropGone, type Verdict, type Verdicts } from '../check/verdicts.ts'
import { parseDuration } from '../config/schema-parts.ts'
import { escapeControls, toPlainText } from '../text/escape.ts'
import type { Paint } from '../text/paint.ts'
import type { Outcome, Refusal } from './command.ts'
import { type Io, untilStopped } from './io.ts'
import { refuse } from './refuse.ts'

/** The time of `--every`, or why it can't be used. A round sends up to 70 requests to each point. */
export function parseInterval(text: string): { readonly ms: number } | { readonly fault: string } {
  const parsed = parseDuration(text)
  if ('ms' in parsed && parsed.ms >= SHORTEST_MS) return parsed
  return { fault: `--every takes a time from 30s to 24h, such as 5m, not ${JSON.stringify(text)}` }
}

interface Rounds {
  readonly everyMs: number
  /** Whether lines are JSON objects. */
  readonly asJson: boolean
  readonly paint: Paint
  /** Reads the config and checks once. Its messages go to the Io that it gets, which after the first round has no stderr. */
  check(io: Io): Promise<{ readonly report: Report } | Refusal>
  /** Writes the files of `--output`; returns a message for each that could not be written. */
  write(report: Report): Promise<readonly string[]>
}

/**
 * Checks at intervals until SIGTERM or SIGINT. Prints how it stands after the first round, then a line for each change. A
 * refusal ends it only in the first round.
 */
export async function checkEvery(rounds: Rounds, io: Io): Promise<Outcome> {
  const stopping = new AbortController()
  const stopped = untilStopped(io).then((): Outcome => {
    stopping.abort()
    // A check may still be waiting for responses.
    io.endWithCommand()
    return 'interrupted'
  })
  return Promise.race([stopped, repeat(rounds, io, stopping.signal)])
}

async function repeat(rounds: Rounds, io: Io, signal: AbortSignal): Promise<Outcome> {
  const { everyMs, check, write, paint } = rounds
  const print = (event: Event) => {
    const time = new Date().toISOString()
    io.stdout(`${rounds.asJson ? toJsonLine(time, event) : toTextLine(time, event, paint)}\n`)
  }
  const messages = openMessages(io)
  let standing: Standing | undefined
  do {
    const startedMs = performance.now()
    const isFirst = standing === undefined
    const round = await check(isFirst ? io : { ...io, stderrColumns: undefined, stderr: () => {} }).catch(
      toCrash,
    )
    if (signal.aborted) break
    if (isFirst && !('report' in round) && !('crash' in round)) return round
    if ('report' in round) {
      const faults = await write(round.report)
      if (isFirst && faults.length > 0) return { messages: faults }
      messages.say(faults.length === 0 ? undefined : { messages: faults })
    } else if (!('crash' in round)) messages.say(round)
    const next = judgeRound(standing, round)
    for (const event of next.events) print(event)
    standing = next.standing
    const tookMs = performance.now() - startedMs
    // Rounds never overlap: a long one leaves out the starts that it covers.
    await wait(everyMs - (tookMs % everyMs), undefined, { signal }).catch(() => {})
  } while (!signal.aborted)
  return 'interrupted'
}

type Round = { readonly report: Report } | { readonly crash: string } | Refusal

/** What is known after a round. */
interface Standing {
  readonly verdicts: Verdicts
  readonly isInconclusive: boolean
}

type Event =
  | ({ readonly event: 'start' } & Pick<CheckResult, 'findings' | 'causes'>)
  | { readonly event: 'failed' | 'passed' | 'gone'; readonly verdict: Verdict }
  | { readonly event: 'inconclusive'; readonly message: string }
  | { readonly event: 'conclusive' }

/** A round that can't check leaves the verdicts as they are. */
function judgeRound(
  before: Standing | undefined,
  round: Round,
): { readonly standing: Standing; readonly events: readonly Event[] } {
  const { findings, causes } = 'report' in round ? round.report.result : { findings: [], causes: [] }
  const reason = findInconclusiveReason(round)
  const isInconclusive = reason !== undefined
  const known = before?.verdicts ?? new Map()
  const { verdicts: left, gone } = isInconclusive ? { verdicts: known, gone: [] } : dropGone(known, findings)
  const { verdicts, changes } = advance(left, findings)
  const wasInconclusive = before?.isInconclusive ?? false
  const events: Event[] = [
    ...(before === undefined ? [{ event: 'start', findings, causes } as const] : []),
    ...gone.flatMap((verdict) => (verdict.outcome === 'fail' ? [{ event: 'gone', verdict } as const] : [])),
    ...changes.map(
      ({ is }) => ({ event: is.outcome === 'fail' ? 'failed' : 'passed', verdict: is }) as const,
    ),
    ...(isInconclusive && !wasInconclusive ? [{ event: 'inconclusive', message: reason } as const] : []),
    ...(!isInconclusive && wasInconclusive ? [{ event: 'conclusive' } as const] : []),
  ]
  return { standing: { verdicts, isInconclusive }, events }
}

/** Why a round could find nothing out, as far as one line tells. */
function findInconclusiveReason(round: Round): string | undefined {
  if ('crash' in round) return `The check failed: ${round.crash}`
  if (!('report' in round)) return 'The check was refused; standard error says why'
  const { findings } = round.report.result
  if (chooseExitCode(findings, 'never') !== 3) return undefined
  const open = findings.filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'crashed')
  return [...new Set(open.map(({ message }) => message))].slice(0, MOST_REASONS).join('; ')
}

/** Only the name of an error: its message may quote a secret. */
function toCrash(error: unknown) {
  return { crash: error instanceof Error ? error.name : typeof error }
}

/** Messages go to stderr once, however many rounds they are true for. */
function openMessages(io: Io) {
  let last = ''
  return {
    say(refusal: Refusal | undefined): void {
      let text = ''
      const stderr = (part: string) => {
        text += part
      }
      if (refusal !== undefined) refuse(refusal, ' check', { ...io, stderr })
      if (text !== last) io.stderr(text)
      last = text
    },
  }
}

function toJsonLine(time: string, event: Event): string {
  return escapeControls(JSON.stringify({ time, event: event.event, ...toMembers(event) }))
}

function toMembers(event: Event): object {
  if (event.event === 'start') return { schemaVersion: 1, summary: summarize(event.findings) }
  if (!('verdict' in event)) return event
  const { rule, subject, severity, message, fix } = event.verdict
  return event.event === 'failed' ? { rule, subject, severity, message, fix } : { rule, subject }
}

function toTextLine(time: string, event: Event, paint: Paint): string {
  return `${time.slice(0, 19)}Z  ${describe(event, paint)}`
}

function describe(event: Event, paint: Paint): string {
  if (event.event === 'start') return countFindings(event)
  if (event.event === 'conclusive') return paint('green', '✔ can be checked again')
  if (event.event === 'inconclusive')
    return paint('yellow', toPlainText(`– could not check  ${event.message}`))
  const { rule, subject, severity, message } = event.verdict
  const name = `${rule}  ${describeSubject(subject)}`
  if (event.event === 'failed') return paint('red', toPlainText(`✖ ${severity}  ${name}  ${message}`))
  return paint('green', toPlainText(`✔ ${event.event === 'gone' ? 'gone' : 'green'}  ${name}`))
}

const SHORTEST_MS = 30_000
const MOST_REASONS = 3
