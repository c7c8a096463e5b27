import type { Worker } from 'node:cluster'
import type { Problem } from '../config/problem.ts'
import type { FileTexts } from './file-texts.ts'
import type { ToWorker } from './worker-message.ts'

/** A worker as the primary process sees it. */
export class WorkerProcess {
  readonly startedAtMs = performance.now()
  stage: 'starting' | 'listening' | 'leaving' = 'starting'
  version = ''
  /** A successor is being started, so its death needs no other. */
  hasSuccessor = false
  /** The reload that it uses. */
  reloaded = 0
  /** How many exchanges it had to cut, once it has drained. */
  cut: number | undefined
  readonly #worker: Worker
  /** Resolves when the process has ended. */
  readonly #ended: Promise<void>
  /** The files that were sent to it last. */
  #sent: FileTexts | undefined
  #reloads = 0
  /** Pings since its last message. */
  #pings = 0

  constructor(worker: Worker) {
    this.#worker = worker
    // Not `exit`: its last messages may still be on their way then.
    this.#ended = new Promise((done) => worker.process.once('close', () => done()))
  }

  tell(message: ToWorker): void {
    if (this.#worker.isConnected()) this.#worker.send(message)
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL')
  }

  /** Asks for a sign of life, and kills it when it has not answered for long. */
  ping(): void {
    this.#pings += 1
    if (this.#pings > DEAD_PINGS) this.kill()
    else this.tell({ kind: 'ping' })
  }

  /** It has sent a message. */
  hear(): void {
    this.#pings = 0
  }

  get isSilent(): boolean {
    return this.#pings > SILENT_PINGS
  }

  /** How it ended, of a process that ended like this. */
  endOf(exitCode: number | null, signal: NodeJS.Signals | null): WorkerEnd {
    return this.#pings > DEAD_PINGS
      ? { kind: 'unresponsive', waitedMs: DEAD_PINGS * PING_EVERY_MS }
      : { kind: 'ended', exitCode, signal }
  }

  /** Sends the files to start with; `rest` is the rest of that message. */
  serve(files: FileTexts, rest: Omit<Extract<ToWorker, { kind: 'serve' }>, 'kind' | 'files'>): void {
    this.#sent = files
    this.tell({ kind: 'serve', files, ...rest })
  }

  reload(files: FileTexts): void {
    this.#sent = files
    this.#reloads += 1
    this.tell({ kind: 'reload', files, reload: this.#reloads })
  }

  /** Whether these files were the last that were sent to it. */
  wasSent(files: FileTexts): boolean {
    return this.#sent === files
  }

  /** Whether this is the last reload that was sent to it. */
  isLatest(reload: number): boolean {
    return reload === this.#reloads
  }

  /**
   * Drains it and waits for its end.
   *
   * @returns how many exchanges had to be cut
   */
  async retire(deadlineMs: number, idleGraceMs?: number): Promise<number> {
    if (this.stage === 'listening') this.tell({ kind: 'drain', deadlineMs, idleGraceMs })
    // A worker that is still starting has no exchanges.
    if (this.stage === 'starting') this.kill()
    else this.stage = 'leaving'
    const late = setTimeout(() => this.kill(), deadlineMs + KILL_AFTER_MS)
    await this.#ended
    clearTimeout(late)
    return this.cut ?? 0
  }
}

/** Why a worker does not listen. */
export type StartFailure =
  | { readonly kind: 'not-listening'; readonly code: string }
  /** The system did not start the process. */
  | { readonly kind: 'not-started'; readonly code: string }
  | { readonly kind: 'died'; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: 'silent'; readonly waitedMs: number }
  | { readonly kind: 'config-refused'; readonly problems: readonly Problem[] }
  /** Its version of the package has other messages than this process. */
  | { readonly kind: 'other-protocol'; readonly version: string }

/** How a worker ended that had listened. */
export type WorkerEnd =
  | { readonly kind: 'ended'; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  /** It was killed, because it had not answered for so long. */
  | { readonly kind: 'unresponsive'; readonly waitedMs: number }

export const PING_EVERY_MS = 1_000
const SILENT_PINGS = 3
const DEAD_PINGS = 10
const KILL_AFTER_MS = 5_000
