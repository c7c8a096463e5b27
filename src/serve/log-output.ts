/** Writes a text to the log; `taken` is called once it is written, or lost. */
export type WriteLog = (text: string, taken: () => void) => void

/** The log output of one process. */
export interface LogOutput {
  /** Takes a whole line, including its line feed. */
  write(line: string): void
  /** Waits up to a second for the lines to be written; not at all if the reader has stalled already. */
  flush(): Promise<'taken' | 'stalled'>
}

/**
 * Buffers what the reader of the log has not read yet, up to 8 MiB. Lines beyond that are dropped and counted, and the
 * count is logged when the reader reads again: a stalled log must never block traffic.
 *
 * Lines of one turn of the event loop go out in one write, which costs a fraction of a system call each.
 *
 * @param toNotice renders the line that says how many were dropped
 */
export function openLogOutput(write: WriteLog, toNotice: (dropped: number) => string): LogOutput {
  const waiting: Piece[] = []
  let heldBytes = 0
  let dropped = 0
  let state: 'idle' | 'gathering' | 'writing' = 'idle'
  let writtenAtMs = 0
  let onIdle = () => {}

  function hold(line: string, bytes: number): void {
    heldBytes += bytes
    const last = waiting.at(-1)
    if (last !== undefined && last.bytes + bytes <= PIECE_BYTES) {
      last.text += line
      last.bytes += bytes
    } else waiting.push({ text: line, bytes })
    if (state !== 'idle') return
    state = 'gathering'
    setImmediate(writeNext)
  }

  function writeNext(): void {
    const piece = waiting.shift()
    if (piece === undefined) {
      state = 'idle'
      onIdle()
      return
    }
    state = 'writing'
    writtenAtMs = performance.now()
    write(piece.text, () => {
      heldBytes -= piece.bytes
      if (dropped > 0) {
        const notice = toNotice(dropped)
        dropped = 0
        hold(notice, Buffer.byteLength(notice))
      }
      writeNext()
    })
  }

  return {
    write: (line) => {
      const bytes = Buffer.byteLength(line)
      if (heldBytes + bytes > MOST_HELD_BYTES) dropped += 1
      else hold(line, bytes)
    },
    flush: () => {
      if (state === 'idle') return Promise.resolve('taken')
      const waitedMs = state === 'writing' ? performance.now() - writtenAtMs : 0
      if (dropped > 0 || waitedMs >= FLUSH_MS) return Promise.resolve('stalled')
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve('stalled'), FLUSH_MS)
        onIdle = () => {
          clearTimeout(timer)
          resolve('taken')
        }
      })
    },
  }
}

interface Piece {
  text: string
  bytes: number
}

const MOST_HELD_BYTES = 8 * 1_048_576
/** PIPE_BUF of Linux. A pipe takes no more than this as a whole: part of a larger piece, then lines of another worker. */
const PIECE_BYTES = 4_096
const FLUSH_MS = 1_000
