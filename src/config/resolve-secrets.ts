import type { Environment } from './environment.ts'
import { fileFault, type ReadFile } from './file-fault.ts'
import type { Problem } from './problem.ts'
import { isSecretReference, Secret, type SecretReference } from './secret.ts'

export interface SecretSource {
  readonly env: Environment
  readonly readFile: ReadFile
}

/** Secrets, each read once. */
export type ResolvedSecrets = Awaited<ReturnType<typeof resolveSecrets>>

export async function resolveSecrets(
  needed: readonly (readonly [SecretReference | undefined, SecretUse])[],
  source: SecretSource,
) {
  const resolved = new Map<SecretReference, ResolvedSecret>()
  for (const [reference, use] of needed) {
    if (reference === undefined || resolved.has(reference)) continue
    resolved.set(reference, await resolveSecret(reference, use, source))
  }
  const problemOf = (each: ResolvedSecret | undefined) =>
    each !== undefined && 'problem' in each ? [each.problem] : []
  return {
    /** `undefined` without a reference, or if it could not be read. */
    of(reference: SecretReference | undefined) {
      const each = reference && resolved.get(reference)
      return each !== undefined && 'secret' in each ? each.secret : undefined
    },
    /** Why it could not be read: one problem, or none. */
    problemsOf: (reference: SecretReference | undefined): readonly Problem[] =>
      problemOf(reference && resolved.get(reference)),
    /** All problems, in the order of the references. A problem has the location and never the secret. */
    problems: [...resolved.values()].flatMap(problemOf),
  }
}

/** The use of a secret, which determines valid texts. Keys of both kinds are field values. */
export type SecretUse = keyof typeof USES

type ResolvedSecret = { readonly secret: Secret } | { readonly problem: Problem }

/** Reads one secret. A final line ending is removed, since editors add one to a file. */
export async function resolveSecret(
  reference: SecretReference,
  use: SecretUse,
  { env, readFile }: SecretSource,
): Promise<ResolvedSecret> {
  const { isUsable, expected } = USES[use]
  const refuse = (fault: string, rest: Pick<Problem, 'expected'> = { expected }) => ({
    problem: { location: reference.location, message: `${nameSubject(reference)} ${fault}`, ...rest },
  })
  let written: string | undefined
  try {
    if (reference.kind === 'file') written = await readFile(reference.path)
    else if (reference.kind === 'literal') written = reference.secret.reveal()
    else written = Object.hasOwn(env, reference.name) ? env[reference.name] : undefined
  } catch (error) {
    return refuse(`can't be read: ${fileFault(error, 'read')}`, {})
  }
  if (written === undefined) return refuse('is not set', {})
  const text = written.replace(/\r?\n$/, '')
  if (text === '') return refuse('is empty')
  if (reference.kind !== 'literal' && use === 'field value' && isSecretReference(text))
    return refuse('looks like a reference, which only the config may contain', { expected: 'the key itself' })
  return isUsable(text) ? { secret: new Secret(text) } : refuse(`is not usable as a ${use}`)
}

function nameSubject(reference: SecretReference): string {
  if (reference.kind === 'env') return `the variable ${reference.name}`
  return reference.kind === 'file' ? `the file ${reference.path}` : 'the text'
}

const USES = {
  'field value': {
    // RFC 9110, section 5.5: visible ASCII, and blanks only within.
    isUsable: (text: string) => /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text),
    expected: 'printable ASCII on one line, with no blank at either end',
  },
  certificate: {
    isUsable: (text: string) => text.includes('-----BEGIN CERTIFICATE-----'),
    expected: 'a certificate in PEM form',
  },
  'private key': {
    isUsable: (text: string) => /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/.test(text),
    expected: 'a private key in PEM form',
  },
}
