import { judgePrefix } from '../config/judge.ts'
import type { Problem } from '../config/problem.ts'
import type { Io } from './io.ts'

export interface ValueOption {
  /** The value's placeholder in help: `FILE`, `HOST:IP`. */
  readonly value: string
  readonly summary: string
  readonly multiple?: true
  /** The only legal values, if there is a fixed set. */
  readonly choices?: readonly string[]
  /** Whether it is a port number, from 0 to 65535. */
  readonly isPort?: true
}

export interface SwitchOption {
  readonly value?: never
  readonly summary: string
}

/** By flag name without the two dashes. Every command also has `help` and `version`. */
export type Options = Readonly<Record<string, ValueOption | SwitchOption>>

export interface Operands {
  /** Their placeholder in help: `[URL…]`, `FRONT_END`. */
  readonly usage: string
  readonly min: number
  readonly max: number
  /** The only legal words in the first place, if there is a fixed set. */
  readonly choices?: readonly string[]
}

/** Valid arguments: every option has its entry. */
export interface Arguments<O extends Options> {
  readonly values: { readonly [Name in keyof O]: OptionValue<O[Name]> }
  readonly operands: readonly string[]
}

type OptionValue<T extends ValueOption | SwitchOption> = T extends SwitchOption
  ? boolean
  : T extends { readonly multiple: true }
    ? readonly string[]
    : T extends { readonly isPort: true }
      ? number | undefined
      : T extends { readonly choices: readonly (infer Choice)[] }
        ? Choice | undefined
        : string | undefined

/** The flag of every command that reads the config. */
export const configOption = {
  value: 'FILE',
  summary: 'the config file (default: config.json, if there is one)',
} as const satisfies ValueOption

/** The flag of commands that work with another vendor's path than the default. */
export const prefixOption = {
  value: 'PATH',
  summary: 'the vendor’s path, at the end of every point (default: /service_cookie_transfer/)',
} as const satisfies ValueOption

/** Why this can't be the value of the flag. */
export function findPrefixFault(prefix: string | undefined): string | undefined {
  const reason = prefix === undefined ? undefined : judgePrefix(prefix)
  return reason && `--prefix ${JSON.stringify(prefix)}: ${reason}`
}

/** One command: its arguments and its code. Its name and summary are in `commands`. */
export interface Command<O extends Options = Options> {
  /** Paragraphs after the options in `--help`, with a blank line between; an indented one is not wrapped. */
  readonly details?: string
  readonly options: O
  /** If absent, the command takes none. */
  readonly operands?: Operands
  /** Results go to `io.stdout`, messages to `io.stderr`. */
  run(args: Arguments<O>, io: Io): Promise<Outcome>
}

export type Outcome = keyof typeof EXIT_CODE | Refusal

/** Why a command did nothing, or not everything. `run` prints it; the exit code is 2 unless `outcome` names another. */
export type Refusal =
  /** Followed by a line that says where the help is. */
  | { readonly fault: string }
  | { readonly faults: readonly string[] }
  /** Printed alone: the arguments are right, so the help text would not help. */
  | { readonly message: string; readonly outcome?: keyof typeof EXIT_CODE }
  | { readonly messages: readonly string[] }
  | { readonly problems: readonly Problem[] }

/** Infers the type of a command's arguments from its options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command<O> {
  return command
}

/** Exit codes; they do not depend on a report's format. */
export const EXIT_CODE = {
  /** Done, and nothing at or above `--fail-on`. */
  done: 0,
  /** Findings; or, after `serve`, exchanges that had to be cut. */
  findings: 1,
  /** A usage error, a config that can't be read or is not valid, or a named file that can't be written. */
  usage: 2,
  /** Nothing could be judged; the service, standard output or we failed; after `serve`, what may pass, as a used port. */
  inconclusive: 3,
  /** Ended by SIGINT; a command of `withAccount` also by SIGTERM or SIGHUP. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT_CODE)[keyof typeof EXIT_CODE]
