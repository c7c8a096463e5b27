import type { ExitCode } from './exit-code.ts'
import type { Io } from './io.ts'

/** A flag that takes a value. */
export interface ValueOption {
  readonly type: 'string'
  /** What stands for the value in help: `FILE`, `HOST:IP`. */
  readonly value: string
  readonly summary: string
  /** May be given more than once. */
  readonly multiple?: true
  /** The only legal values, when they are few. */
  readonly choices?: readonly string[]
}

/** A flag that is there or not. */
export interface SwitchOption {
  readonly type: 'boolean'
  readonly summary: string
}

/** By flag name without the two dashes. `help` and `version` belong to every command already. */
export type Options = Readonly<Record<string, ValueOption | SwitchOption>>

/** The words that are not flags. */
export interface Operands {
  /** How help writes them: `[URL…]`, `FRONT_END`. */
  readonly usage: string
  readonly min: number
  readonly max: number
}

/** What the words say once they were found legal: every option has its entry. */
export interface Arguments<O extends Options> {
  readonly values: { readonly [Name in keyof O]: OptionValue<O[Name]> }
  readonly operands: readonly string[]
}

type OptionValue<T extends ValueOption | SwitchOption> = T extends SwitchOption
  ? boolean
  : T extends { readonly multiple: true }
    ? readonly string[]
    : string | undefined

/** One command: what help says of it, what it accepts, what it does. */
export interface Command<O extends Options = Options> {
  readonly name: string
  /** One line of help, lower case, no full stop. */
  readonly summary: string
  /** Paragraphs after the options in `--help`, a blank line between them; one that is indented is not wrapped. */
  readonly details?: string
  readonly options: O
  /** Absent: the command takes none. */
  readonly operands?: Operands
  /** Results go to `io.stdout`; a message that asks the user to act goes to `io.stderr` and the code says so. */
  run(args: Arguments<O>, io: Io): Promise<ExitCode>
}

/** Types a command's arguments from its own options. */
export function defineCommand<const O extends Options>(command: Command<O>): Command<O> {
  return command
}
