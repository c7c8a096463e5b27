import { inspect } from 'node:util'

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

  [inspect.custom](): string {
    return '[secret]'
  }
}

/** Where a secret comes from. The config file holds references; `load` resolves them when a command needs the text. */
export type SecretReference =
  | { readonly kind: 'literal'; readonly secret: Secret }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
