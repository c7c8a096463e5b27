import type { Location } from './problem.ts'
import { Secret, type SecretReference } from './secret.ts'

/** Reads `env:NAME` and `file:/path`; any other text is the secret itself. */
export function toSecretReference(text: string, location: Location): SecretReference {
  if (text.startsWith('env:')) return { kind: 'env', name: text.slice('env:'.length), location }
  if (text.startsWith('file:')) return { kind: 'file', path: text.slice('file:'.length), location }
  return { kind: 'literal', secret: new Secret(text), location }
}
