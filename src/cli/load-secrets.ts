import { identifyAsWritten } from '../config/accounts.ts'
import type { Problem } from '../config/problem.ts'
import { resolveSecret, type SecretSource, type SecretUse } from '../config/resolve-secrets.ts'
import type { Secret, SecretReference } from '../config/secret.ts'

/** Secrets that were read, each once. */
export interface LoadedSecrets {
  /** `undefined` for no reference, and for one that could not be read. */
  of(reference: SecretReference | undefined): Secret | undefined
  /** Why it could not be read. */
  faultOf(reference: SecretReference | undefined): Problem | undefined
  /** Every fault, in the order of the references. */
  readonly problems: readonly Problem[]
  /** The same text for references to the same key. */
  identify(reference: SecretReference | undefined): string
}

/** Reads secrets. One that can't be read stands in nobody else's way. */
export async function loadSecrets(
  needed: readonly (readonly [SecretReference | undefined, SecretUse])[],
  source: SecretSource,
): Promise<LoadedSecrets> {
  const known = new Map<SecretReference, Secret>()
  const faults = new Map<SecretReference, Problem>()
  for (const [reference, use] of needed) {
    if (reference === undefined || known.has(reference) || faults.has(reference)) continue
    const resolved = await resolveSecret(reference, use, source)
    if ('secret' in resolved) known.set(reference, resolved.secret)
    else faults.set(reference, resolved.problem)
  }
  const of = (reference: SecretReference | undefined) => reference && known.get(reference)
  return {
    of,
    faultOf: (reference) => reference && faults.get(reference),
    problems: [...faults.values()],
    identify: (reference) => of(reference)?.reveal() ?? identifyAsWritten(reference),
  }
}
