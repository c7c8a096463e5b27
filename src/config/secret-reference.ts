import type { Location } from './problem.ts'
import { Secret, type SecretReference } from './secret.ts'

/** Whether a text refers to a secret. Inside a variable or a file that is a mistake: it belongs into the config. */
export function isSecretReference(text: string): boolean {
  return text.startsWith('env:') || text.startsWith('file:')
}

/** Parses `env:NAME` and `file:/path`; any other text is the secret itself. */
export function toSecretReference(text: string, location: Location): SecretReference {
  if (text.startsWith('env:')) return { kind: 'env', name: text.slice('env:'.length), location }
  if (text.startsWith('file:')) return { kind: 'file', path: text.slice('file:'.length), location }
  return { kind: 'literal', secret: new Secret(text), location }
}
