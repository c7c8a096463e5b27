import { type Logger, pino } from 'pino'
import { type LogOutput, openLogOutput } from '../serve/log-output.ts'
import type { Io } from './io.ts'
import { timestamp } from './timestamp.ts'

/** Where the log of a command that runs on goes: stdout, without ever blocking on its reader. */
export function openOutput(io: Io): LogOutput {
  return openLogOutput(io.log, (dropped) => {
    const msg = 'log lines dropped: nobody read them'
    return toLine({ level: 'warn', msg, dropped })
  })
}

/** One JSON object a line. */
export function openLog(output: LogOutput): Logger {
  return pino(
    {
      base: null,
      timestamp: timestamp(),
      formatters: { level: (level) => ({ level }) },
    },
    output,
  )
}

/** Not through the logger: scripts wait for this line at any log level. */
export function announce(output: LogOutput, listener: 'public' | 'admin', url: string): void {
  output.write(toLine({ level: 'info', msg: 'listening', listener, url }))
}

/** Ends with what the log holds read, or without its reader. */
export async function letGo(output: LogOutput, io: Io): Promise<void> {
  if ((await output.flush()) === 'stalled') io.endWithCommand()
}

/** A line as the logger writes it. */
function toLine({
  level,
  ...rest
}: { readonly level: string; readonly msg: string } & Record<string, unknown>): string {
  return `${JSON.stringify({ level, time: new Date().toISOString(), ...rest })}\n`
}
