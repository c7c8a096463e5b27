import type { Io } from './io.ts'

export interface Progress {
  /** Shows what is being waited for. */
  readonly show: (text: string) => void
  /** Removes the line from the terminal. */
  close(): void
}

/**
 * Shows the user what the command waits for. A terminal gets one line that is overwritten; a log gets a line only if the
 * same thing takes longer than ten seconds.
 */
export function openProgress({ stderrIsTty, stderr }: Pick<Io, 'stderrIsTty' | 'stderr'>): Progress {
  let current = ''
  let atLastTick = ''
  const rewrite = stderrIsTty ? REWRITE : ''
  const timer = setInterval(() => {
    if (current !== '' && current === atLastTick) stderr(`${rewrite}Still waiting: ${current}\n`)
    atLastTick = current
  }, SLOW_MS)
  timer.unref()
  return {
    show(text) {
      current = text
      if (stderrIsTty) stderr(`${rewrite}${text.slice(0, LINE_CHARACTERS)}`)
    },
    close() {
      clearInterval(timer)
      stderr(rewrite)
    },
  }
}

// Carriage return, then erase to the end of the line (ECMA-48, EL).
const REWRITE = '\r\u001b[K'
const LINE_CHARACTERS = 78
const SLOW_MS = 10_000
