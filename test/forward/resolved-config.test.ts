import { expect, test } from 'vitest'
import { resolveConfig } from '../../src/forward/resolved-config.ts'
import { configOf } from '../support/config-of.ts'

const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const privateKey = '-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n'

const files: Readonly<Record<string, string>> = {
  '/key': 'file-key\n',
  '/cert': certificate,
  '/private': privateKey,
}

const source = {
  env: { KEY: 'env-key', EMPTY: '' },
  readFile: async (path: string) => {
    const text = files[path]
    if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    return text
  },
}

const pointOf = (path: string) => `https://www.example.com/${path}/service_cookie_transfer/`

async function resolve(config: object) {
  const service = { url: 'https://service.example', ...('service' in config ? Object(config.service) : {}) }
  return resolveConfig(configOf({ points: [pointOf('a')], ...config, service }), source)
}

async function resolved(config: object) {
  const made = await resolve(config)
  if ('problems' in made) throw new Error(JSON.stringify(made.problems))
  return made.resolved
}

test('a key for each point, its own before the global one', async () => {
  const points = [pointOf('a'), { url: pointOf('b'), widgetKey: 'file:/key' }, pointOf('c')]
  const made = await resolved({ widgetKey: 'env:KEY', points })
  expect(made.points.map(({ url, widgetKey }) => [url, widgetKey.reveal()])).toEqual([
    [pointOf('a'), 'env-key'],
    [pointOf('b'), 'file-key'],
    [pointOf('c'), 'env-key'],
  ])
  expect([made.serviceCa, made.tls]).toEqual([undefined, undefined])
})

test('certificates', async () => {
  const { serviceCa, tls } = await resolved({
    widgetKey: 'env:KEY',
    service: { ca: 'file:/cert' },
    listen: { tls: { cert: 'file:/cert', key: 'file:/private' } },
  })
  expect([serviceCa?.reveal(), tls]).toEqual([
    certificate.trimEnd(),
    { cert: certificate.trimEnd(), key: privateKey.trimEnd() },
  ])
  expect(JSON.stringify(serviceCa)).not.toContain('BEGIN')
})

test('a key that nothing uses is not needed', async () => {
  const points = [{ url: pointOf('b'), widgetKey: 'k' }]
  const made = await resolved({ widgetKey: 'env:ABSENT', apiKey: 'env:ABSENT', points })
  expect(made.points.map(({ widgetKey }) => widgetKey.reveal())).toEqual(['k'])
})

test('every fault at once, and a shared reference only once', async () => {
  const made = await resolve({
    widgetKey: 'env:ABSENT',
    service: { url: 'http://service.example', ca: 'file:/absent' },
    points: [pointOf('a'), pointOf('b'), { url: pointOf('c'), widgetKey: 'env:EMPTY' }],
  })
  const problems = 'problems' in made ? made.problems : []
  expect(problems.map((problem) => problem.location.pointer)).toEqual([
    '/service/url',
    '/widgetKey',
    '/points/2/widgetKey',
    '/service/ca',
  ])
})

test('points without any key', async () => {
  const made = await resolve({ points: [{ url: pointOf('a'), widgetKey: 'k' }, pointOf('b'), pointOf('c')] })
  expect(made).toEqual({
    problems: [
      {
        location: { file: 'config.json', line: 1, column: expect.any(Number), pointer: '/points/1' },
        message: 'no widget key for 2 of 3 points',
        expected: '"widgetKey" in the config, or CONTINUATION_WIDGET_KEY',
      },
    ],
  })
})
