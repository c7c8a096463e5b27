import type { Location } from './problem.ts'

/**
 * A value that must never be shown. JSON, string conversion and inspection give `[secret]`;
 * only `reveal()` gives the text.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  /** Node's `inspect.custom`, by its registered name: configs are read where there is no node:util too. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}

/**
 * Where a secret comes from, and where that is written. The config file holds references; `resolveSecrets` reads them
 * when a command needs the text.
 */
export type SecretReference = { readonly location: Location } & (
  | { readonly kind: 'literal'; readonly secret: Secret }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
)
