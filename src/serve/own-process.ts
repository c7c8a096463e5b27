import type { ReadFile } from '../config/file-fault.ts'

export interface NodeStart {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Node's flags (`--insecure-http-parser` …) from the command line; those in NODE_OPTIONS are in `env`. */
  readonly nodeFlags: readonly string[]
}

/** What serving needs of the process that it is in. */
export interface OwnProcess extends NodeStart {
  /** As in `process.versions`. */
  readonly versions: { readonly node: string; readonly openssl: string }
  readonly stdoutIsTty: boolean
  /** Width of the terminal; absent if there is none, so lines need no wrapping. */
  readonly stdoutColumns?: number | undefined
  readonly processId: number
  /** Where the log of a long-running command goes: a descriptor of stdout that blocks neither the process nor its end. */
  logDescriptor(): number
  readonly readFile: ReadFile
  /** What is at a path. A pipe or a folder is `other`, and so is what can't be examined. */
  kindOf(path: string): Promise<'nothing' | 'file' | 'other'>
  /** Ends the process with its command, even if something is pending: an unread log, a question. */
  endWithCommand(): void
  /**
   * Calls the listener for each such signal, which then no longer ends the process. After SIGTERM was asked for, the
   * process goes on when its output is lost, unless its command ends by itself.
   */
  onSignal(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', listener: () => void, endsByItself?: boolean): void
}

/** All flags of Node; if some contradict each other, the last one counts. */
export function flagsOf({ env, nodeFlags }: NodeStart): readonly string[] {
  return [...(env.NODE_OPTIONS ?? '').split(/[\s"]+/), ...nodeFlags]
}
