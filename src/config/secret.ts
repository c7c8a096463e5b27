import type { Location } from './problem.ts'

/**
 * A value that must never be shown: it prints as `[secret]`, and only `reveal()` returns the text.
 *
 * @example
 * import { createClient, Secret } from 'continuation-point/api'
 *
 * const apiKey = new Secret(process.env.API_KEY ?? '')
 * console.log({ apiKey }) // { apiKey: [secret] }
 * const client = createClient({ baseUrl: 'https://cobrowse.example.net/v2', apiKey })
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

  /** Node's `inspect.custom`, by its registered name, for runtimes without node:util. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }
}

/** Where a secret is, and who names it in the config: `resolveSecrets` reads it when a command needs the text. */
export type SecretReference = { readonly location: Location } & (
  | { readonly kind: 'literal'; readonly secret: Secret }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
)

/** Whether a text refers to a secret. Inside a variable or a file that is a mistake: it belongs in the config. */
export function isSecretReference(text: string): boolean {
  return text.startsWith('env:') || text.startsWith('file:')
}

/** Parses `env:NAME` and `file:/path`; any other text is the secret itself. */
export function parseSecretReference(text: string, location: Location): SecretReference {
  if (text.startsWith('env:')) return { kind: 'env', name: text.slice('env:'.length), location }
  if (text.startsWith('file:')) return { kind: 'file', path: text.slice('file:'.length), location }
  return { kind: 'literal', secret: new Secret(text), location }
}
