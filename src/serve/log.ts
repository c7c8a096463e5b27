import { type Logger, pino } from 'pino'
import type { Problem } from '../config/problem.ts'
import { choosePaint } from '../text/paint.ts'
import { type LogOutput, openLogOutput } from './log-output.ts'
import type { OwnProcess } from './own-process.ts'
import { formatForPerson } from './readable-log.ts'

/** The log output of a long-running command. At a terminal, its lines are for a person. */
export function openOutput({
  logDescriptor,
  env,
  stdoutIsTty,
  stdoutColumns,
}: Pick<OwnProcess, 'logDescriptor' | 'env' | 'stdoutIsTty' | 'stdoutColumns'>): LogOutput {
  const output = openLogOutput(logDescriptor())
  if (!stdoutIsTty) return output
  const paint = choosePaint({ env, stdoutIsTty })
  return { ...output, write: (line) => output.write(formatForPerson(line, paint, stdoutColumns)) }
}

/** A logger that writes one JSON object on each line. */
export function openLog(output: LogOutput): Logger {
  return pino({ base: null, timestamp, formatters: { level: (level) => ({ level }) } }, output)
}

/** Bypasses the logger: scripts wait for this line at any log level. */
export function announce(output: LogOutput, listener: 'public' | 'admin', url: string): void {
  const line = JSON.stringify({ msg: 'listening', listener, url })
  writeMembers(output, 'info', line.slice(1, -1))
}

/** Waits until the log has been read. If its reader has stalled, the process ends anyway. */
export async function finishLog(output: LogOutput, own: Pick<OwnProcess, 'endWithCommand'>): Promise<void> {
  if ((await output.close()) === 'stalled') own.endWithCommand()
}

/** The number of problems, and the first of them in the form that the log uses. */
export function shown(problems: readonly Problem[]): Readonly<Record<string, unknown>> {
  const first = problems.slice(0, MOST_PROBLEMS).map(({ location, message }) => ({ ...location, message }))
  const shortened = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > MOST_CHARACTERS
      ? `${value.slice(0, MOST_CHARACTERS)}…`
      : value
  return { problemCount: problems.length, problems: JSON.parse(JSON.stringify(first, shortened)) }
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

const MOST_PROBLEMS = 50
const MOST_CHARACTERS = 200
