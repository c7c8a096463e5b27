import type { Location } from './problem.ts'
import { Secret, type SecretReference } from './secret.ts'

/** Tells a text that names where a secret is. Inside a variable or a file it is surely meant for the config. */
export function isSecretReference(text: string): boolean {
  return text.startsWith('env:') || text.startsWith('file:')
}

/** Reads `env:NAME` and `file:/path`; any other text is the secret itself. */
export function toSecretReference(text: string, location: Location): SecretReference {
  if (text.startsWith('env:')) return { kind: 'env', name: text.slice('env:'.length), location }
  if (text.startsWith('file:')) return { kind: 'file', path: text.slice('file:'.length), location }
  return { kind: 'literal', secret: new Secret(text), location }
}
