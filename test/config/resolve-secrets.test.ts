import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { resolveSecret, resolveSecrets, type SecretUse } from '../../src/config/resolve-secrets.ts'
import { toSecretReference } from '../../src/config/secret-reference.ts'

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
    HOOK: 'https://hooks.example.net/x?sig=1',
    PLAIN_HOOK: 'http://top.example.net/secret',
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
  resolveSecret(toSecretReference(text, location), use, source)

test.each<[string, SecretUse, string]>([
  ['literal', 'field value', 'literal'],
  ['literal\n', 'field value', 'literal'],
  ['env:KEY', 'field value', 'env-key'],
  ['env:SPACED', 'field value', 'a b'],
  ['file:/key', 'field value', 'file-key'],
  ['file:/key-crlf', 'field value', 'file-key'],
  ['file:/cert', 'certificate', certificate.trimEnd()],
  ['file:/private', 'private key', privateKey.trimEnd()],
  ['env:HOOK', 'webhook URL', 'https://hooks.example.net/x?sig=1'],
])('%s as a %s', async (text, use, expected) => {
  const resolved = await resolve(text, use)
  expect('secret' in resolved && resolved.secret.reveal()).toBe(expected)
})

test.each<[string, SecretUse, string]>([
  ['env:ABSENT', 'field value', 'the variable ABSENT is not set'],
  ['env:EMPTY', 'field value', 'the variable EMPTY is empty'],
  ['env:BLANK', 'field value', 'the variable BLANK is not usable as a field value'],
  ['env:TAB', 'field value', 'the variable TAB is not usable as a field value'],
  ['env:UMLAUT', 'field value', 'the variable UMLAUT is not usable as a field value'],
  ['env:INDIRECT', 'field value', 'the variable INDIRECT begins as a reference, which only a config holds'],
  [
    'env:INDIRECT_FILE',
    'field value',
    'the variable INDIRECT_FILE begins as a reference, which only a config holds',
  ],
  ['top\u0000secret', 'field value', 'the text is not usable as a field value'],
  ['top secret ', 'field value', 'the text is not usable as a field value'],
  ['file:/absent', 'field value', "the file /absent can't be read: it does not exist"],
  ['file:/empty', 'field value', 'the file /empty is empty'],
  ['file:/blank-line', 'field value', 'the file /blank-line is empty'],
  ['file:/two-newlines', 'field value', 'the file /two-newlines is not usable as a field value'],
  ['env:PLAIN_HOOK', 'webhook URL', 'the variable PLAIN_HOOK is not usable as a webhook URL'],
  ['env:INDIRECT', 'webhook URL', 'the variable INDIRECT begins as a reference, which only a config holds'],
  ['file:/key', 'certificate', 'the file /key is not usable as a certificate'],
  ['file:/cert', 'private key', 'the file /cert is not usable as a private key'],
])('%j is refused as a %s', async (text, use, message) => {
  const resolved = await resolve(text, use)
  expect(resolved).toEqual({ problem: expect.objectContaining({ location, message }) })
  expect(JSON.stringify(resolved)).not.toMatch(/top.*secr/)
})

describe('all that serve needs', () => {
  const resolveAll = async (text: string) => {
    const parsed = parseConfig(text, 'config.json')
    if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
    return resolveSecrets(parsed.config, source)
  }

  test('a key for each point, its own before the global one', async () => {
    const resolved = await resolveAll(
      '{"widgetKey": "env:KEY", "points": ["a", {"url": "b", "widgetKey": "file:/key"}, "c"]}',
    )
    if ('problems' in resolved) throw new Error(JSON.stringify(resolved.problems))
    expect(resolved.secrets.points.map(({ point, widgetKey }) => [point.url, widgetKey.reveal()])).toEqual([
      ['a', 'env-key'],
      ['b', 'file-key'],
      ['c', 'env-key'],
    ])
    expect([resolved.secrets.ca, resolved.secrets.tls]).toEqual([undefined, undefined])
  })

  test('certificates', async () => {
    const resolved = await resolveAll(
      '{"service": {"ca": "file:/cert"}, "listen": {"tls": {"cert": "file:/cert", "key": "file:/private"}}}',
    )
    if ('problems' in resolved) throw new Error(JSON.stringify(resolved.problems))
    const { ca, tls } = resolved.secrets
    expect([ca, tls?.cert, tls?.key].map((secret) => secret?.reveal().slice(0, 15))).toEqual([
      '-----BEGIN CERT',
      '-----BEGIN CERT',
      '-----BEGIN EC P',
    ])
    expect(JSON.stringify(resolved)).not.toContain('BEGIN')
  })

  test('a key that nothing uses is not asked for', async () => {
    const text =
      '{"widgetKey": "env:ABSENT", "apiKey": "env:ABSENT", "points": [{"url": "b", "widgetKey": "k"}]}'
    expect(await resolveAll(text)).toHaveProperty('secrets')
  })

  test('every fault at once, a shared reference once', async () => {
    const resolved = await resolveAll(`{
      "widgetKey": "env:ABSENT", "service": {"ca": "file:/absent"},
      "points": ["a", "b", {"url": "c", "widgetKey": "env:EMPTY"}]
    }`)
    const problems = 'problems' in resolved ? resolved.problems : []
    expect(problems.map((problem) => problem.location.pointer)).toEqual([
      '/widgetKey',
      '/points/2/widgetKey',
      '/service/ca',
    ])
  })

  test('points without any key', async () => {
    const resolved = await resolveAll('{"points": [{"url": "a", "widgetKey": "k"}, "b", "c"]}')
    expect(resolved).toEqual({
      problems: [
        {
          location: { file: 'config.json', line: 1, column: 45, pointer: '/points/1' },
          message: 'no widget key for 2 of 3 points',
          expected: '"widgetKey" in the config, or CONTINUATION_WIDGET_KEY',
        },
      ],
    })
  })
})
