/** Hands a text to whoever reads the log; `taken` is called once they have it, or once it is lost. */
export type WriteLog = (text: string, taken: () => void) => void

/** The log of one process on its way out. */
export interface LogOutput {
  /** Takes a whole line with its end. */
  write(line: string): void
  /** Waits for what is held, for a moment; a reader that has stalled already is not waited for. */
  flush(): Promise<'taken' | 'stalled'>
}

/**
 * Keeps what the reader of the log has not taken yet, up to 8 MiB. Lines past that are dropped and counted, and the
 * count is logged when the reader reads again: a log must never cost the traffic that it tells of.
 *
 * Lines of one turn of the event loop go out in one write, which costs a fraction of a system call each.
 *
 * @param toNotice makes the line that tells how many were dropped
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
const PIECE_BYTES = 65_536
const FLUSH_MS = 1_000
