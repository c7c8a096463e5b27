import type { Environment } from './environment.ts'
import { fileFault, type ReadFile } from './file-fault.ts'
import { judgeWebhookUrl } from './judge.ts'
import type { Problem } from './problem.ts'
import { isSecretReference, Secret, type SecretReference } from './secret.ts'

export interface SecretSource {
  readonly env: Environment
  readonly readFile: ReadFile
}

/** Secrets, each read once. */
export interface ResolvedSecrets {
  /** `undefined` without a reference, or if it could not be read. */
  of(reference: SecretReference | undefined): Secret | undefined
  /** Why it could not be read: one problem, or none. */
  problemsOf(reference: SecretReference | undefined): readonly Problem[]
  /** All problems, in the order of the references. A problem has the location and never the secret. */
  readonly problems: readonly Problem[]
}

export async function resolveSecrets(
  needed: readonly (readonly [SecretReference | undefined, SecretUse])[],
  source: SecretSource,
): Promise<ResolvedSecrets> {
  const resolved = new Map<SecretReference, ResolvedSecret>()
  for (const [reference, use] of needed) {
    if (reference === undefined || resolved.has(reference)) continue
    resolved.set(reference, await resolveSecret(reference, use, source))
  }
  const problemOf = (each: ResolvedSecret | undefined) =>
    each !== undefined && 'problem' in each ? [each.problem] : []
  return {
    of(reference) {
      const each = reference && resolved.get(reference)
      return each !== undefined && 'secret' in each ? each.secret : undefined
    },
    problemsOf: (reference) => problemOf(reference && resolved.get(reference)),
    problems: [...resolved.values()].flatMap(problemOf),
  }
}

/** The use of a secret, which determines valid texts. Keys of both kinds are field values. */
export type SecretUse = keyof typeof uses

type ResolvedSecret = { readonly secret: Secret } | { readonly problem: Problem }

/** Reads one secret. A final line ending is removed, since editors add one to a file. */
export async function resolveSecret(
  reference: SecretReference,
  use: SecretUse,
  { env, readFile }: SecretSource,
): Promise<ResolvedSecret> {
  const { location } = reference
  const read = await readReference(reference, env, readFile)
  if ('reason' in read) return { problem: { location, message: read.reason } }
  const text = read.text.replace(/\r?\n$/, '')
  const { isUsable, expected } = uses[use]
  if (text === '') return { problem: { location, message: `${nameSubject(reference)} is empty`, expected } }
  if (reference.kind !== 'literal' && VALUES_OF_ONE_LINE.includes(use) && isSecretReference(text)) {
    const message = `${nameSubject(reference)} looks like a reference, which only the config may contain`
    return { problem: { location, message, expected: use === 'webhook URL' ? expected : 'the key itself' } }
  }
  if (!isUsable(text)) {
    return { problem: { location, message: `${nameSubject(reference)} is not usable as a ${use}`, expected } }
  }
  return { secret: new Secret(text) }
}

async function readReference(
  reference: SecretReference,
  env: Environment,
  readFile: ReadFile,
): Promise<{ readonly text: string } | { readonly reason: string }> {
  if (reference.kind === 'literal') return { text: reference.secret.reveal() }
  if (reference.kind === 'env') {
    const text = env[reference.name]
    return text === undefined ? { reason: `${nameSubject(reference)} is not set` } : { text }
  }
  try {
    return { text: await readFile(reference.path) }
  } catch (error) {
    return { reason: `${nameSubject(reference)} can't be read: ${fileFault(error, 'read')}` }
  }
}

function nameSubject(reference: SecretReference): string {
  if (reference.kind === 'env') return `the variable ${reference.name}`
  return reference.kind === 'file' ? `the file ${reference.path}` : 'the text'
}

const VALUES_OF_ONE_LINE: readonly SecretUse[] = ['field value', 'webhook URL']

const uses = {
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
  'webhook URL': {
    isUsable: (text: string) => /^[\x21-\x7e]+$/.test(text) && judgeWebhookUrl(text) === undefined,
    expected: 'an https URL without credentials and fragment; on loopback http will do',
  },
}
