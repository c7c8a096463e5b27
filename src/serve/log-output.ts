import { pino } from 'pino'

/** Where the lines of a log go. */
export interface LogOutput {
  /** Takes a whole line, including its line feed. */
  write(line: string): void
  /** How many lines were dropped. */
  lostLines(): number
  /** Waits up to a second until all lines are written. Then nothing more is, so that the end never waits for a reader. */
  close(): Promise<'taken' | 'stalled'>
}

/**
 * Writes lines to a descriptor without waiting for its reader. Up to 8 MiB are kept that can't be written, as to a stalled
 * pipe or a full disk; lines beyond that are dropped and counted.
 *
 * Under load, lines are gathered for some milliseconds: a write costs as much as many lines.
 */
export function openLogOutput(descriptor: number): LogOutput {
  const destination = pino.destination({
    dest: descriptor,
    sync: false,
    maxLength: MOST_HELD_BYTES,
    maxWrite: MOST_WRITTEN_BYTES,
    // Else pino waits 100 ms, in which a busy log fills its buffer.
    retryEAGAIN: () => false,
  })
  let lost = 0
  let gathered = ''
  let gathering: NodeJS.Timeout | undefined
  let state: 'open' | 'closed' = 'open'
  let onTaken = () => {}

  const pass = () => {
    clearTimeout(gathering)
    gathering = undefined
    const lines = gathered
    gathered = ''
    // Also without new lines: it tries again what could not be written.
    destination.write(lines)
  }
  const passIn = (ms: number) => {
    gathering ??= setTimeout(pass, ms)
  }

  destination.on('drop', (lines) => {
    lost += lines.split('\n').length - 1
    // Then pino writes nothing, also of what it holds.
    passIn(STALL_MS)
  })
  destination.on('drain', () => onTaken())
  // In place of pino's own, which writes nothing more after EPIPE, although a named pipe may get another reader.
  destination.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (state === 'open') passIn(error.code === 'EAGAIN' ? STALL_MS : FAULT_MS)
  })
  // Pino's own would wait for a stalled reader at the end of the process.
  destination.flushSync = () => {}

  return {
    write: (line) => {
      if (state === 'closed') return
      gathered += line
      if (gathered.length >= MOST_WRITTEN_BYTES / 2) pass()
      else passIn(GATHER_MS)
    },
    lostLines: () => lost,
    close: async () => {
      const outcome = await new Promise<'taken' | 'stalled'>((resolve) => {
        const late = setTimeout(() => resolve('stalled'), CLOSE_MS)
        onTaken = () => {
          clearTimeout(late)
          resolve('taken')
        }
        pass()
      })
      state = 'closed'
      clearTimeout(gathering)
      destination.destroy()
      return outcome
    },
  }
}

const MOST_HELD_BYTES = 8 * 1_048_576
const MOST_WRITTEN_BYTES = 65_536
const GATHER_MS = 5
const STALL_MS = 20
const FAULT_MS = 1_000
const CLOSE_MS = 1_000
