import { identifyAsWritten } from '../config/accounts.ts'
import type { Problem } from '../config/problem.ts'
import { resolveSecret, type SecretSource, type SecretUse } from '../config/resolve-secrets.ts'
import type { Secret, SecretReference } from '../config/secret.ts'

/** Secrets, each read once. */
export interface LoadedSecrets {
  /** `undefined` without a reference, or if it could not be read. */
  of(reference: SecretReference | undefined): Secret | undefined
  /** Why it could not be read. */
  faultOf(reference: SecretReference | undefined): Problem | undefined
  /** All problems, in the order of the references. */
  readonly problems: readonly Problem[]
  /** The same text for references to the same key. */
  identify(reference: SecretReference | undefined): string
}

/** Reads secrets; one that can't be read does not affect the others. */
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
