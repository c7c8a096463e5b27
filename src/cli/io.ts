/**
 * Everything a command may touch of the process that runs it. `main.ts` makes the real one; a test passes an object.
 */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Node's own flags (`--insecure-http-parser` …), from the command line; those in NODE_OPTIONS are in `env`. */
  readonly nodeFlags: readonly string[]
  readonly stdoutIsTty: boolean
  /** How wide the terminal is; absent where there is none, and lines need not break. */
  readonly stdoutColumns?: number | undefined
  readonly stderrIsTty: boolean
  /** Results only. The text ends its own lines. */
  stdout(text: string): void
  /**
   * The log of a command that serves, on stdout too. It never blocks: `taken` is called once the reader has the text, or
   * once it is lost, and then with the error where there is one.
   */
  log(text: string, taken: (lost?: Error | null) => void): void
  /** Has the process end with its command, whatever is still under way in it: a log that nobody reads, a question. */
  endWithCommand(): void
  /** Everything else: messages, progress, logs of a command that prints results. The text ends its own lines. */
  stderr(text: string): void
  /**
   * Asks the person at the terminal and gives their line, empty when they end the input or the signal ends the wait.
   * Absent: nobody is there.
   */
  readonly ask?: (question: string, signal?: AbortSignal) => Promise<string>
  /** What is at a path. A pipe or a folder is `other`, and so is what can't be examined. */
  kindOf(path: string): Promise<'nothing' | 'file' | 'other'>
  /** The text of a UTF-8 file; rejects with Node's error, whose `code` tells why. */
  readFile(path: string): Promise<string>
  /** The whole of standard input as UTF-8. */
  readStdin(): Promise<string>
  /** Writes a UTF-8 file, replacing what was there; rejects with Node's error. */
  writeFile(path: string, text: string): Promise<void>
  /**
   * Writes a UTF-8 file, and the folders above it that are missing: whole or not at all, so that who reads it meanwhile
   * finds the old text or the new. Rejects with Node's error.
   */
  placeFile(path: string, text: string): Promise<void>
  /** Of this process, and of the one that started it. */
  readonly processIds: { readonly own: number; readonly parent: number }
  /** The memory of the process that the kernel holds for it now. */
  residentBytes(): number
  /** CPU time of the process since it started. */
  cpuSeconds(): number
  /** Open files of the process, connections included, and how many it may have; `undefined` where the system has no /proc. */
  fileUse(): { readonly open: number; readonly limit: number } | undefined
  /** Calls the listener at each arrival of the signal, which then no longer ends the process. */
  onSignal(signal: Signal, listener: () => void): void
}

export type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGUSR2'
