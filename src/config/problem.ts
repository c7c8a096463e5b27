/** Keys and indexes from the root of the config down to one value. */
export type Path = readonly (string | number)[]

/** The path as a JSON Pointer (RFC 6901, section 3): `~` and `/` within a key are escaped. */
export function formatPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The location of a value, for messages. Lines and columns count from 1. */
export interface Location {
  /** Path of the config file as the user gave it, or `environment`, or `command line`. */
  readonly file: string
  readonly line?: number
  readonly column?: number
  /** RFC 6901 JSON Pointer into the file, or the name of the variable or argument. */
  readonly pointer: string
}

/** Problems of the file come first, then those of the environment and the command line. */
export function byPosition({ location: a }: Problem, { location: b }: Problem): number {
  const toRank = (count = Number.MAX_SAFE_INTEGER) => count
  return toRank(a.line) - toRank(b.line) || toRank(a.column) - toRank(b.column)
}

/** A problem of the config: where, what was expected, what was found (never a secret). */
export interface Problem {
  readonly location: Location
  readonly message: string
  readonly expected?: string
  readonly found?: string
  /** The nearest valid word, if a key or a choice looks misspelt. */
  readonly suggestion?: string
  /** The line of the file, without its values, and a caret below the place. */
  readonly excerpt?: readonly string[]
}

/** What was made of a config, or everything that is wrong with it. */
export type OrProblems<Made> = Made | { readonly problems: readonly Problem[] }
