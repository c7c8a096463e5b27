import { setTimeout as wait } from 'node:timers/promises'
import { type Event, judgeRound, type Standing, toJsonLine, toTextLine } from '../check/report/changes.ts'
import { countFindings } from '../check/report/conclusion.ts'
import type { Report } from '../check/report/report.ts'
import { parseDuration } from '../config/schema-parts.ts'
import { toPlainText } from '../text/escape.ts'
import type { Paint } from '../text/paint.ts'
import type { Outcome, Refusal } from './command.ts'
import { type Io, untilStopped } from './io.ts'
import { refuse } from './refuse.ts'

interface Rounds {
  /** Reads the config and checks once. Its messages go to the Io that it gets, which after the first round has no stderr. */
  check(io: Io): Promise<{ readonly report: Report } | Refusal>
  /** Writes the files of `--output`; returns a message for each that could not be written. */
  write(report: Report): Promise<readonly string[]>
  readonly mode: Mode
}

/** When the rounds are, and how they are told. */
interface Mode {
  /** Whether an invalid config may be put right while it is watched; any other refusal of the first round ends the command. */
  readonly awaitsConfig: boolean
  tell(events: readonly Event[], report: Report | undefined): Promise<void>
  /** Resolves when the next round is due. */
  untilNext(startedMs: number, signal: AbortSignal): Promise<void>
}

/** Checks until SIGTERM or SIGINT, or until nobody reads the output any more. */
export function checkAgain(rounds: Rounds, io: Io): Promise<Outcome> {
  const stopping = new AbortController()
  const stopWith = (outcome: Outcome) => {
    stopping.abort()
    // A check may still be waiting for responses.
    io.endWithCommand()
    return outcome
  }
  const unread = new Promise<void>((resolve) => io.onOutputClosed(resolve))
  return Promise.race([
    untilStopped(io).then(() => stopWith('interrupted')),
    unread.then(() => stopWith('done')),
    repeat(rounds, io, stopping.signal),
  ])
}

async function repeat({ check, write, mode }: Rounds, io: Io, signal: AbortSignal): Promise<Outcome> {
  const say = openMessages(io)
  let standing: Standing | undefined
  do {
    const startedMs = performance.now()
    const isFirst = standing === undefined
    const round = await check(isFirst ? io : { ...io, stderrColumns: undefined, stderr: () => {} }).catch(
      toCrash,
    )
    if (signal.aborted) break
    const report = 'report' in round ? round.report : undefined
    const messages = report === undefined ? [] : await write(report)
    const refusal =
      messages.length > 0 ? { messages } : 'report' in round || 'crash' in round ? undefined : round
    const ends = refusal !== undefined && !(mode.awaitsConfig && 'problems' in refusal)
    if (isFirst && ends) return refusal
    say(refusal)
    const reason = 'crash' in round ? round.crash : 'The check was refused; standard error says why'
    const next = judgeRound(standing, report?.result ?? reason)
    standing = next.standing
    await mode.tell(next.events, report)
    await mode.untilNext(startedMs, signal).catch(() => {})
  } while (!signal.aborted)
  return 'interrupted'
}

/** Only the name of an error: its message may quote a secret. */
function toCrash(error: unknown) {
  return { crash: `The check failed: ${error instanceof Error ? error.name : typeof error}` }
}

/** Messages go to stderr once, however many rounds they are true for. */
function openMessages(io: Io): (refusal: Refusal | undefined) => void {
  let last = ''
  return (refusal) => {
    const said: string[] = []
    if (refusal !== undefined) refuse(refusal, ' check', { ...io, stderr: (text) => void said.push(text) })
    const text = said.join('')
    if (text !== last) io.stderr(text)
    last = text
  }
}

/** At intervals: a line for how it stands after the first round, then one for each change. */
export function everyMode(everyMs: number, form: 'pretty' | 'json', paint: Paint, io: Io): Mode {
  return {
    awaitsConfig: false,
    async tell(events) {
      const time = new Date().toISOString()
      for (const event of events) {
        const line =
          form === 'json' ? toJsonLine(time, event) : `${time.slice(0, 19)}Z  ${toTextLine(event, paint)}`
        io.stdout(`${line}\n`)
      }
    },
    untilNext(startedMs, signal) {
      const tookMs = performance.now() - startedMs
      // Rounds never overlap: a long one leaves out the starts that it covers.
      return wait(everyMs - (tookMs % everyMs), undefined, { signal })
    },
  }
}

/** The time of `--every`, or why it can't be used. A round sends up to 70 requests to each point. */
export function parseInterval(text: string): { readonly ms: number } | { readonly fault: string } {
  const parsed = parseDuration(text)
  if ('ms' in parsed && parsed.ms >= SHORTEST_MS) return parsed
  return { fault: `--every takes a time from 30s to 24h, such as 5m, not ${JSON.stringify(text)}` }
}

/**
 * On Enter, at once when the config changes, and every few seconds for what else may have, such as the front end or `serve`:
 * the report of the first round, then what changed, with its fix.
 */
export function watchMode(
  print: (report: Report) => Promise<void>,
  file: string,
  paint: Paint,
  io: Io,
): Mode {
  // A pipe can't be read twice.
  const readConfig = async () =>
    (await io.kindOf(file)) === 'file' ? io.readFile(file).catch(() => undefined) : undefined
  /** As it is when a round begins. */
  let text = readConfig()
  const awaitEnter = () =>
    new Promise<true>((resolve) => void io.ask?.('').then((line) => line !== undefined && resolve(true)))
  let enter: Promise<true> | undefined
  let isAsked = false
  return {
    awaitsConfig: true,
    async tell(events, report) {
      if (enter === undefined) {
        if (report !== undefined) await print(report)
        io.stderr(
          `Watching${io.ask === undefined ? '' : ': press Enter to check at once'}. Ctrl-C ends it.\n`,
        )
        enter = awaitEnter()
        return
      }
      for (const event of events) {
        io.stdout(`${toTextLine(event, paint)}\n`)
        const fix = event.event === 'failed' ? event.verdict.fix : undefined
        if (fix !== undefined) io.stdout(`  fix  ${fix.split('\n').map(toPlainText).join('\n')}\n`)
      }
      if (report !== undefined && (isAsked || events.length > 0))
        io.stdout(`${countFindings(report.result)}\n`)
    },
    async untilNext(_startedMs, signal) {
      isAsked = false
      for (let turn = 0; turn < TURNS && !isAsked && !signal.aborted; turn += 1) {
        isAsked = (await Promise.race([enter, wait(POLL_MS, false, { signal })])) === true
        if (isAsked) enter = awaitEnter()
        else if ((await text) !== (await readConfig())) break
      }
      text = readConfig()
    },
  }
}

const SHORTEST_MS = 30_000
const POLL_MS = 500
const TURNS = 10
