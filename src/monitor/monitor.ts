import type { Finding } from '../check/finding.ts'
import { chooseExitCode } from '../check/summary.ts'
import type { Delivery } from './call-webhook.ts'
import { advance, type Change, coalesce, formerOutcome, type Verdicts } from './verdicts.ts'

export interface MonitorIo {
  /** Gathers and judges once. */
  check(): Promise<readonly Finding[]>
  /** Calls the webhook; absent where there is none. */
  readonly deliver: ((changes: readonly Change[], failing: number) => Promise<Delivery>) | undefined
  log(level: 'debug' | 'info' | 'warn' | 'error', fields: object, msg: string): void
  /** Since the epoch. */
  nowMs(): number
  /** Never goes back, as the time of day may. */
  monotonicMs(): number
}

export type Monitor = ReturnType<typeof openMonitor>
export type MonitorState = ReturnType<Monitor['state']>

export function openMonitor(io: MonitorIo, everyMs: number) {
  const never = { count: 0, lastAtMs: 0 }
  // Inconclusive: no answer of a point was conclusive, or a rule crashed. Crashed: by a bug in this program.
  const runs = { pass: never, fail: never, inconclusive: never, crashed: never }
  type RunResult = keyof typeof runs
  const calls = { delivered: 0, failed: 0 }
  let verdicts: Verdicts = new Map()
  let undelivered: readonly Change[] = []
  let lastTookMs: number | undefined
  let isInconclusive = false
  let inconclusiveRuns = 0

  function logChanges(changes: readonly Change[]): void {
    for (const change of changes) {
      const { rule, subject, outcome, severity, message, fix } = change.is
      const from = formerOutcome(change)
      if (outcome === 'pass') io.log('info', { rule, ...subject, from, to: outcome }, 'recovered')
      else io.log(LEVELS[severity], { rule, severity, ...subject, from, to: outcome, message, fix }, 'failed')
    }
  }

  /** Logged only when it changes, as verdicts are, so a network that is down all night is one line. */
  function logConclusiveness(isInconclusiveNow: boolean, reasons: readonly string[]): void {
    if (isInconclusiveNow === isInconclusive) return
    isInconclusive = isInconclusiveNow
    if (isInconclusive) io.log('warn', { reasons }, 'checks are inconclusive')
    else io.log('info', {}, 'checks are conclusive again')
  }

  async function deliver(): Promise<void> {
    if (io.deliver === undefined || undelivered.length === 0) return
    const delivery = await io
      .deliver(undelivered, failing(verdicts))
      .catch((error): Delivery => ({ kind: 'failed', attempts: 1, reason: nameError(error) }))
    const { kind, ...ending } = delivery
    calls[kind] += 1
    const fields = { changes: undelivered.length, ...ending }
    if (kind === 'failed') io.log('warn', fields, 'webhook failed: it is called again after the next run')
    else {
      io.log('debug', fields, 'webhook called')
      undelivered = []
    }
  }

  async function observe(signal: AbortSignal, startedMs: number): Promise<RunResult> {
    const findings = await io.check()
    if (signal.aborted) return 'inconclusive'
    const result = RESULTS[chooseExitCode(findings, 'error')]
    const wasBlind = inconclusiveRuns >= BLIND_RUNS
    inconclusiveRuns = result === 'inconclusive' ? inconclusiveRuns + 1 : 0
    const isBlind = inconclusiveRuns >= BLIND_RUNS
    const own = isBlind || wasBlind ? [judgeBlindness(isBlind, listReasons(findings))] : []
    const next = advance(verdicts, [...findings, ...own], io.nowMs())
    verdicts = next.verdicts
    undelivered = io.deliver === undefined ? [] : coalesce(undelivered, next.changes)
    count(result, startedMs)
    logChanges(next.changes)
    logConclusiveness(result === 'inconclusive', listReasons(findings))
    return result
  }

  function count(result: RunResult, startedMs: number): void {
    lastTookMs = Math.round(io.monotonicMs() - startedMs)
    runs[result] = { count: runs[result].count + 1, lastAtMs: io.nowMs() }
  }

  return {
    /** Checks once and reports what changed. Never rejects. A run that `signal` aborts reports nothing. */
    async run(signal: AbortSignal): Promise<RunResult> {
      const startedMs = io.monotonicMs()
      let result: RunResult
      try {
        result = await observe(signal, startedMs)
      } catch (error) {
        count('crashed', startedMs)
        logConclusiveness(true, [nameError(error)])
        result = 'crashed'
      }
      if (signal.aborted) return result
      await deliver()
      io.log('debug', { result, tookMs: lastTookMs, failing: failing(verdicts) }, 'checked')
      return result
    },
    state: () => ({ verdicts, runs, lastTookMs, calls, everyMs }),
    /** How many changes the webhook has not received yet. */
    undelivered: () => undelivered.length,
  }
}

/** Only the name of an error: its message may quote something secret. */
function nameError(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

function failing(verdicts: Verdicts): number {
  return [...verdicts.values()].filter(({ outcome }) => outcome === 'fail').length
}

/** Why the run was inconclusive, each reason once. */
function listReasons(findings: readonly Finding[]): readonly string[] {
  const open = findings.filter(({ outcome }) => outcome === 'inconclusive' || outcome === 'crashed')
  return [...new Set(open.map(({ message }) => message))].slice(0, MOST_REASONS)
}

/** A monitor that sees nothing for several runs says so, as it says a failure. */
function judgeBlindness(isBlind: boolean, reasons: readonly string[]): Finding {
  const message = isBlind
    ? `${BLIND_RUNS} runs in a row were inconclusive: ${reasons.join('; ')}`
    : 'The checks are conclusive'
  return {
    id: 'monitor/inconclusive',
    outcome: isBlind ? 'fail' : 'pass',
    severity: 'warning',
    subject: { setting: 'monitor' },
    message,
    topic: message,
    fix: undefined,
    evidence: {},
    location: undefined,
    because: undefined,
    suppressed: undefined,
    proof: undefined,
  }
}

/** By the exit code that `check` would have. */
const RESULTS = { 0: 'pass', 1: 'fail', 3: 'inconclusive' } as const
const BLIND_RUNS = 3
const LEVELS = { error: 'error', warning: 'warn', info: 'info' } as const
const MOST_REASONS = 3
