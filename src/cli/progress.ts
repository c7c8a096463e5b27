import type { Io } from './io.ts'

/** Shows what the command waits for: on one line of a terminal; in a log only what takes longer than ten seconds. */
export function openProgress({ stderrColumns, stderr }: Pick<Io, 'stderrColumns' | 'stderr'>) {
  let current = ''
  let atLastTick = ''
  const rewrite = stderrColumns === undefined ? '' : REWRITE
  const timer = setInterval(() => {
    if (current !== '' && current === atLastTick) stderr(`${rewrite}Still waiting: ${current}\n`)
    atLastTick = current
  }, SLOW_MS)
  timer.unref()
  return {
    show(text: string): void {
      current = text
      // A line that is as wide as the terminal, or wider, could not be overwritten.
      if (stderrColumns !== undefined) stderr(`${rewrite}${text.slice(0, stderrColumns - 1)}`)
    },
    close(): void {
      clearInterval(timer)
      stderr(rewrite)
    },
  }
}

// Carriage return, then erase to the end of the line (ECMA-48, EL).
const REWRITE = '\r\u001b[K'
const SLOW_MS = 10_000
