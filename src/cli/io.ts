import type { Budgets } from '../api/budget.ts'
import { fileFault } from '../config/file-fault.ts'
import type { OwnProcess } from '../serve/own-process.ts'
import type { Program } from '../text/typed-command.ts'

/** A command's only access to its process. `main.ts` provides the real one; a test passes an object. */
export interface Io extends OwnProcess {
  readonly program: Program
  /** Width of the terminal on stderr; absent if there is none. */
  readonly stderrColumns?: number | undefined
  /** Results only. The text includes its line feeds. */
  stdout(text: string): void
  /** Results that are commands to a CI runner, which `run` keeps out of all else. */
  readonly stdoutOfRunner?: (text: string) => void
  /** Called once a reader of the results has gone, as after `| head -1`. */
  onOutputClosed(listener: () => void): void
  /** Everything else: messages, progress, logs of a command that prints results. The text includes its line feeds. */
  stderr(text: string): void
  /** Asks for a line at the terminal, if there is one; `undefined` if the input ends or the signal is aborted. */
  readonly ask?: (question: string, signal?: AbortSignal) => Promise<string | undefined>
  /**
   * Reads a UTF-8 file of up to 4 MiB, or another limit; rejects with `FileTooLarge` or Node's error. Waits for pipes.
   */
  readFile(path: string, limitBytes?: number, signal?: AbortSignal): Promise<string>
  readStdin(): Promise<string>
  /** Writes or replaces a UTF-8 file, or writes to a pipe that has a reader; rejects with Node's error. */
  writeFile(path: string, text: string): Promise<void>
  /** Writes a file atomically, text as UTF-8, with `mode` from the start, and makes missing folders; rejects with Node's error. */
  placeFile(path: string, content: string | Uint8Array, mode?: number): Promise<void>
  /** The calls that the process may still send to a service. */
  readonly budgetOf: Budgets
  /** Opens an HTML page in the user's browser; returns why it did not open and in which temporary file it is, as a clause. */
  openPage(html: string): Promise<string | undefined>
}

/** Resolves at the first signal that asks the process to stop. */
export function untilStopped(io: Io): Promise<void> {
  return new Promise((resolve) => {
    io.onSignal('SIGTERM', resolve)
    io.onSignal('SIGINT', () => {
      endLineOfTerminal(io)
      resolve()
    })
  })
}

/** Reads each file once, since a pipe can't be read again. */
export function readOnce(io: Io): Io['readFile'] {
  const texts = new Map<string, Promise<string>>()
  return (path) => {
    const text = texts.get(path) ?? io.readFile(path)
    texts.set(path, text)
    return text
  }
}

/** The certificates of `--ca-file` in PEM; `undefined` without the flag. */
export async function loadCertificates(path: string | undefined, { readFile }: Pick<Io, 'readFile'>) {
  if (path === undefined) return undefined
  // It loads node:tls.
  const { parseCertificates } = await import('../probe/trust.ts')
  try {
    const certificates = parseCertificates(await readFile(path))
    return certificates ?? { message: `--ca-file ${path} contains no readable certificate: it must be PEM` }
  } catch (error) {
    return { message: `--ca-file ${path} can't be read: ${fileFault(error, 'read')}` }
  }
}

/** The terminal shows Ctrl-C as `^C`; what comes next, such as the prompt of the shell, starts a line of its own. */
export function endLineOfTerminal({ stderrColumns, stderr }: Pick<Io, 'stderrColumns' | 'stderr'>): void {
  if (stderrColumns !== undefined) stderr('\n')
}

/** Shows on one line of a terminal what the command waits for; an empty text removes the line. */
export function showProgress(text: string, { stderrColumns, stderr }: Pick<Io, 'stderrColumns' | 'stderr'>) {
  // A line that is as wide as the terminal, or wider, could not be overwritten.
  if (stderrColumns !== undefined) stderr(`${REWRITE}${text.slice(0, stderrColumns - 1)}`)
}

// Carriage return, then erase to the end of the line (ECMA-48, EL).
const REWRITE = '\r\u001b[K'

/** Prints a report: only the format for GitHub may contain commands of its runner. */
export function printerOf(format: string | undefined, { stdout, stdoutOfRunner = stdout }: Io) {
  return format === 'github' ? stdoutOfRunner : stdout
}
