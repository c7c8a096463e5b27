import type { Io } from './io.ts'

export interface Progress {
  /** What is being waited for now. */
  readonly show: (text: string) => void
  /** Takes the line off the terminal again. */
  close(): void
}

/**
 * Tells who waits what for. A terminal gets one line that is written over; a log gets a line only where one and the
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
