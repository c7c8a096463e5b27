/** Writes text to the log; `taken` is called once it is written, or lost after its first `writtenBytes`. */
export type WriteLog = (
  text: string | Uint8Array,
  taken: (fault?: Error | null, writtenBytes?: number) => void,
) => void

export interface LogOutput {
  /** Takes a whole line, including its line feed. */
  write(line: string): void
  /** How many lines were dropped or could not be written. */
  lostLines(): number
  /** Waits up to a second for the lines to be written; not at all if the reader has stalled already. */
  flush(): Promise<'taken' | 'stalled'>
}

/**
 * Buffers what the reader of the log has not read yet, up to 8 MiB. Lines beyond that are dropped, as are those that can't
 * be written, such as to a full disk: a log must never block traffic. They are counted, and the count is logged once lines
 * can be written again. A line that was written in part is completed first.
 *
 * Under load, lines are gathered for some milliseconds: a write costs as much as many lines.
 *
 * @param toNotice renders the line that says how many were lost
 * @param pieceBytes the most that is written at once
 * @param gatherMs the time between two writes, unless there is more than that to write
 */
export function openLogOutput(
  write: WriteLog,
  toNotice: (lost: number) => string,
  pieceBytes: number = PIECE_BYTES.alone,
  gatherMs: number = GATHER_MS,
): LogOutput {
  const waiting: Piece[] = []
  let heldBytes = 0
  let lost = 0
  /** Those that a notice tells of. */
  let noticed = 0
  let torn: Uint8Array = NOTHING
  let retry: NodeJS.Timeout | undefined
  let state: 'idle' | 'gathering' | 'writing' = 'idle'
  let gathering: NodeJS.Timeout | undefined
  let writtenAtMs = Number.NEGATIVE_INFINITY
  let onIdle = () => {}

  function hold(line: string, bytes: number): void {
    heldBytes += bytes
    const last = waiting.at(-1)
    if (last !== undefined && last.notices === 0 && last.bytes + bytes <= pieceBytes) {
      last.text += line
      last.bytes += bytes
    } else waiting.push({ text: line, bytes, notices: 0 })
    start()
  }

  /** The notice comes after the lines that were kept, where the others are missing. */
  function holdNotice(): void {
    const notices = lost - noticed
    if (notices === 0 && torn.length === 0) return
    waiting.push({ text: notices === 0 ? '' : toNotice(notices), bytes: 0, notices })
    noticed = lost
    start()
  }

  function start(): void {
    if (state === 'idle') {
      state = 'gathering'
      const restMs = writtenAtMs + gatherMs - performance.now()
      if (restMs > 0) gathering = setTimeout(writeNext, restMs)
      else setImmediate(writeNext)
    }
    if (waiting.length > 1) hurry()
  }

  /** Gathers no more. */
  function hurry(): void {
    if (gathering === undefined) return
    clearTimeout(gathering)
    gathering = undefined
    setImmediate(writeNext)
  }

  function writeNext(): void {
    gathering = undefined
    const piece = waiting.shift()
    state = piece === undefined ? 'idle' : 'writing'
    if (piece === undefined) return
    writtenAtMs = performance.now()
    const text = torn.length === 0 ? piece.text : Buffer.concat([torn, Buffer.from(piece.text)])
    write(text, (fault, writtenBytes = 0) => {
      heldBytes -= piece.bytes
      if (fault) onFault(piece, Buffer.from(text), writtenBytes)
      else {
        torn = NOTHING
        holdNotice()
      }
      state = 'idle'
      if (waiting.length === 0) onIdle()
      else start()
    })
  }

  function onFault({ notices }: Piece, bytes: Buffer, writtenBytes: number): void {
    const rest = bytes.subarray(writtenBytes)
    const isTorn = writtenBytes === 0 ? torn.length > 0 : bytes[writtenBytes - 1] !== LINE_FEED
    torn = rest.subarray(0, isTorn ? rest.indexOf(LINE_FEED) + 1 : 0)
    const lines = rest.toString('latin1', torn.length).split('\n').length - 1
    if (notices === 0) lost += lines
    else if (lines > 0) noticed -= notices
    clearTimeout(retry)
    retry = setTimeout(holdNotice, RETRY_MS).unref()
  }

  return {
    write: (line) => {
      const bytes = Buffer.byteLength(line)
      if (heldBytes + bytes > MOST_HELD_BYTES) lost += 1
      else hold(line, bytes)
    },
    lostLines: () => lost,
    flush: () => {
      if (state === 'idle') holdNotice()
      if (state === 'idle') return Promise.resolve('taken')
      hurry()
      const waitedMs = state === 'writing' ? performance.now() - writtenAtMs : 0
      if (state === 'writing' && (lost > noticed || waitedMs >= FLUSH_MS)) return Promise.resolve('stalled')
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

/** Lines that are written together. */
interface Piece {
  text: string
  bytes: number
  /** How many lost lines it tells of, if it is a notice. */
  readonly notices: number
}

const NOTHING = new Uint8Array()
const LINE_FEED = 10
const MOST_HELD_BYTES = 8 * 1_048_576
/**
 * How much is written at once. Of a pipe that processes share it is PIPE_BUF of Linux, which a pipe takes as a whole: it may
 * take part of a larger piece, and then lines of another process.
 */
export const PIECE_BYTES = { alone: 65_536, shared: 4_096 }
const GATHER_MS = 5
const FLUSH_MS = 1_000
const RETRY_MS = 1_000
