/** Where a value was written, for messages that name the place. Lines and columns count from 1. */
export interface Location {
  /** Path of the config file as the user gave it, or `environment`, or `command line`. */
  readonly file: string
  readonly line?: number
  readonly column?: number
  /** RFC 6901 JSON Pointer into the file, or the name of the variable or argument. */
  readonly pointer: string
}

/** One thing wrong with the config: where, what was expected, what was found (never a secret's text). */
export interface Problem {
  readonly location: Location
  readonly message: string
  readonly expected?: string
  readonly found?: string
  /** The nearest legal word, when a key or choice looks misspelt. */
  readonly suggestion?: string
}
