import { expect, test } from 'vitest'
import { resolveSecret, resolveSecrets, type SecretUse } from '../../src/config/resolve-secrets.ts'
import { parseSecretReference } from '../../src/config/secret.ts'

const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const privateKey = '-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n'

const files: Readonly<Record<string, string>> = {
  '/key': 'file-key\n',
  '/key-crlf': 'file-key\r\n',
  '/two-newlines': 'file-key\n\n',
  '/empty': '',
  '/blank-line': '\n',
  '/cert': certificate,
  '/private': privateKey,
}

const source = {
  env: {
    KEY: 'env-key',
    EMPTY: '',
    BLANK: ' top secret',
    TAB: 'top\tsecret',
    UMLAUT: 'top secrät',
    SPACED: 'a b',
    INDIRECT: 'env:top secret',
    INDIRECT_FILE: 'file:/run/top/secret',
  },
  readFile: async (path: string) => {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error(`top secret ${path}`), { code: 'ENOENT' })
    return text
  },
}

const location = { file: 'config.json', line: 1, column: 1, pointer: '/widgetKey' }

const resolve = (text: string, use: SecretUse) =>
  resolveSecret(parseSecretReference(text, location), use, source)

test.each<[string, SecretUse, string]>([
  ['literal', 'field value', 'literal'],
  ['literal\n', 'field value', 'literal'],
  ['env:KEY', 'field value', 'env-key'],
  ['env:SPACED', 'field value', 'a b'],
  ['file:/key', 'field value', 'file-key'],
  ['file:/key-crlf', 'field value', 'file-key'],
  ['file:/cert', 'certificate', certificate.trimEnd()],
  ['file:/private', 'private key', privateKey.trimEnd()],
])('%s as a %s', async (text, use, expected) => {
  const resolved = await resolve(text, use)
  expect('secret' in resolved && resolved.secret.reveal()).toBe(expected)
})

test.each<[string, SecretUse, string]>([
  ['env:ABSENT', 'field value', 'the variable ABSENT is not set'],
  ['env:toString', 'field value', 'the variable toString is not set'],
  ['env:__proto__', 'field value', 'the variable __proto__ is not set'],
  ['env:EMPTY', 'field value', 'the variable EMPTY is empty'],
  ['env:BLANK', 'field value', 'the variable BLANK is not usable as a field value'],
  ['env:TAB', 'field value', 'the variable TAB is not usable as a field value'],
  ['env:UMLAUT', 'field value', 'the variable UMLAUT is not usable as a field value'],
  [
    'env:INDIRECT',
    'field value',
    'the variable INDIRECT looks like a reference, which only the config may contain',
  ],
  [
    'env:INDIRECT_FILE',
    'field value',
    'the variable INDIRECT_FILE looks like a reference, which only the config may contain',
  ],
  ['top\u0000secret', 'field value', 'the text is not usable as a field value'],
  ['top secret ', 'field value', 'the text is not usable as a field value'],
  ['file:/absent', 'field value', "the file /absent can't be read: it does not exist"],
  ['file:/empty', 'field value', 'the file /empty is empty'],
  ['file:/blank-line', 'field value', 'the file /blank-line is empty'],
  ['file:/two-newlines', 'field value', 'the file /two-newlines is not usable as a field value'],
  ['file:/key', 'certificate', 'the file /key is not usable as a certificate'],
  ['file:/cert', 'private key', 'the file /cert is not usable as a private key'],
])('%j is refused as a %s', async (text, use, message) => {
  const resolved = await resolve(text, use)
  expect(resolved).toEqual({ problem: expect.objectContaining({ location, message }) })
  expect(JSON.stringify(resolved)).not.toMatch(/top.*secr/)
})

test('several: each read once, and one that fails does not affect the others', async () => {
  const [key, absent, empty] = ['env:KEY', 'env:ABSENT', 'env:EMPTY'].map((text) =>
    parseSecretReference(text, location),
  )
  const reads = [absent, key, undefined, absent, empty].map(
    (reference) => [reference, 'field value'] as const,
  )
  const secrets = await resolveSecrets(reads, source)
  expect([secrets.of(key)?.reveal(), secrets.of(absent), secrets.of(undefined)]).toEqual([
    'env-key',
    undefined,
    undefined,
  ])
  expect(secrets.problems.map(({ message }) => message)).toEqual([
    'the variable ABSENT is not set',
    'the variable EMPTY is empty',
  ])
  expect([secrets.problemsOf(key), secrets.problemsOf(absent), secrets.problemsOf(undefined)]).toEqual([
    [],
    secrets.problems.slice(0, 1),
    [],
  ])
})
