import { type Logger, pino } from 'pino'
import type { Problem } from '../config/problem.ts'
import { choosePaint } from '../text/paint.ts'
import { type LogOutput, openLogOutput, PIECE_BYTES } from './log-output.ts'
import type { OwnProcess } from './own-process.ts'
import { formatForPerson } from './readable-log.ts'

/**
 * The log output of a long-running command: stdout, without ever blocking on its reader. At a terminal, its
 * lines are for a person.
 */
export function openOutput(
  { log, env, stdoutIsTty }: Pick<OwnProcess, 'log' | 'env' | 'stdoutIsTty'>,
  use: keyof typeof PIECE_BYTES = 'alone',
): LogOutput {
  const paint = choosePaint({ env, stdoutIsTty })
  const format = stdoutIsTty ? (line: string) => formatForPerson(line, paint) : (line: string) => line
  const renderNotice = (dropped: number) => {
    const msg = 'log lines dropped: their reader stalled, or they could not be written'
    return format(renderLine({ level: 'warn', msg, dropped }))
  }
  const output = openLogOutput(log, renderNotice, PIECE_BYTES[use])
  return { ...output, write: (line) => output.write(format(line)) }
}

/** A logger that writes one JSON object on each line. */
export function openLog(output: LogOutput): Logger {
  return pino(
    {
      base: null,
      timestamp,
      formatters: { level: (level) => ({ level }) },
    },
    output,
  )
}

/** Bypasses the logger: scripts wait for this line at any log level. */
export function announce(output: LogOutput, listener: 'public' | 'admin', url: string): void {
  output.write(renderLine({ level: 'info', msg: 'listening', listener, url }))
}

/** Waits until the log has been read. If its reader has stalled, the process ends anyway. */
export async function finishLog(output: LogOutput, own: Pick<OwnProcess, 'endWithCommand'>): Promise<void> {
  if ((await output.flush()) === 'stalled') own.endWithCommand()
}

/** The number of problems, and the first of them in the form that the log uses. */
export function shown(problems: readonly Problem[]): Readonly<Record<string, unknown>> {
  const first = problems.slice(0, MOST_PROBLEMS).map(({ location, message }) => ({ ...location, message }))
  const shortened = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > MOST_CHARACTERS
      ? `${value.slice(0, MOST_CHARACTERS)}…`
      : value
  return { problemCount: problems.length, problems: thatFit(JSON.parse(JSON.stringify(first, shortened))) }
}

/** As many of the first entries as a line has room for: a pipe that processes share may tear a longer one (`PIECE_BYTES`). */
export function thatFit<T>(entries: readonly T[]): readonly T[] {
  let bytes = 0
  const end = entries.findIndex((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1
    return bytes > ROOM_BYTES
  })
  return end === -1 ? entries : entries.slice(0, end)
}

/** Writes a line in the logger's format, given what follows its level and its time. */
export function writeMembers(output: LogOutput, level: string, members: string): void {
  output.write(`{"level":"${level}"${timestamp()},${members}}\n`)
}

/** The `time` of a log line for pino, rendered once a millisecond: rendering it costs as much as the rest of a line. */
export function timestamp(): string {
  const nowMs = Date.now()
  if (nowMs !== rendered.atMs) rendered = { atMs: nowMs, text: `,"time":"${new Date(nowMs).toISOString()}"` }
  return rendered.text
}

let rendered = { atMs: Number.NaN, text: '' }

/** A line in the logger's format. */
function renderLine({
  level,
  ...rest
}: { readonly level: string; readonly msg: string } & Record<string, unknown>): string {
  return `${JSON.stringify({ level, time: new Date().toISOString(), ...rest })}\n`
}

const MOST_PROBLEMS = 50
/** Of `PIECE_BYTES.shared`, beside the other members of a line. */
const ROOM_BYTES = 3_584
const MOST_CHARACTERS = 200
