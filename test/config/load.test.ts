import { describe, expect, test } from 'vitest'
import { type ConfigFlags, loadConfig } from '../../src/config/load.ts'

interface Setting {
  readonly file?: string
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: ConfigFlags
}

/** A disk from a record: absent names are ENOENT, names of directories EISDIR. */
const load = ({ file, files = {}, env = {}, flags = {} }: Setting) =>
  loadConfig({
    file,
    flags,
    env,
    readFile: async (path) => {
      const text = files[path]
      if (text === undefined) {
        throw Object.assign(new Error(`raw message about ${path}`), {
          code: path === 'dir' ? 'EISDIR' : 'ENOENT',
        })
      }
      return text
    },
  })

const configOf = async (setting: Setting) => {
  const loaded = await load(setting)
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return loaded
}

const problemsOf = async (setting: Setting) => {
  const loaded = await load(setting)
  if ('config' in loaded) throw new Error('the setting was expected to be faulty')
  return loaded.problems.map(({ location, message, suggestion }) => ({
    place: `${location.file} ${location.pointer}`.trim(),
    message,
    suggestion,
  }))
}

describe('the file', () => {
  const port = (number: number) => `{"listen": {"port": ${number}}}`

  test.each<[string, Setting, string | undefined, number]>([
    [
      'the one that is named',
      { file: 'a.json', files: { 'a.json': port(1), 'config.json': port(2) } },
      'a.json',
      1,
    ],
    ['config.json when none is named', { files: { 'config.json': port(2) } }, 'config.json', 2],
    ['none, when there is none', {}, undefined, 8080],
  ])('%s', async (_name, setting, file, expected) => {
    const loaded = await configOf(setting)
    expect([loaded.file, loaded.config.listen.port]).toEqual([file, expected])
  })

  test.each([
    ['absent.json', "the config can't be read: it does not exist"],
    ['dir', "the config can't be read: it is a directory"],
  ])('%s can’t be read', async (file, message) => {
    expect(await problemsOf({ file })).toEqual([{ place: file, message, suggestion: undefined }])
  })

  test('an invalid file is named', async () => {
    const problems = await problemsOf({ file: 'a.json', files: { 'a.json': '{"lisen": {}}' } })
    expect(problems).toEqual([
      { place: 'a.json /lisen', message: 'unknown key "lisen"', suggestion: '"listen"' },
    ])
  })
})

describe('the environment', () => {
  test('is enough for a single point', async () => {
    const { config } = await configOf({
      env: {
        CONTINUATION_SERVICE_URL: 'https://cobrowse.example.net',
        CONTINUATION_WIDGET_KEY: 'key',
        CONTINUATION_POINTS:
          'https://a.example/service_cookie_transfer/, https://b.example/service_cookie_transfer/,',
        CONTINUATION_PAGES: 'https://a.example/',
        CONTINUATION_HOST: '0.0.0.0',
        CONTINUATION_PORT: '0',
        CONTINUATION_TRUSTED_PROXIES: 'loopback, 10.0.0.0/8',
        CONTINUATION_ADMIN_HOST: '::1',
        CONTINUATION_ADMIN_PORT: '9191',
        CONTINUATION_LOG_LEVEL: 'debug',
      },
    })
    const location = (pointer: string) => ({ file: 'environment', pointer })
    expect(config.service).toMatchObject({
      url: 'https://cobrowse.example.net',
      api: 'https://cobrowse.example.net/v2',
      location: location('CONTINUATION_SERVICE_URL'),
    })
    expect(config.listen.trustedProxies).toEqual(['loopback', '10.0.0.0/8'])
    expect(config.widgetKey).toEqual({
      kind: 'env',
      name: 'CONTINUATION_WIDGET_KEY',
      location: location('CONTINUATION_WIDGET_KEY'),
    })
    expect(config.points).toEqual(
      ['a', 'b'].map((host) => ({
        url: `https://${host}.example/service_cookie_transfer/`,
        location: location('CONTINUATION_POINTS'),
      })),
    )
    expect(config.pages).toEqual([{ url: 'https://a.example/', location: location('CONTINUATION_PAGES') }])
    expect(config.listen).toMatchObject({ host: '0.0.0.0', port: 0 })
    expect(config.admin).toEqual({ host: '::1', port: 9191, portIsDefault: false })
    expect(config.log.level).toBe('debug')
  })

  test('can name a file for the widget key', async () => {
    const { config } = await configOf({ env: { CONTINUATION_WIDGET_KEY_FILE: '/run/key' } })
    expect(config.widgetKey).toMatchObject({ kind: 'file', path: '/run/key' })
  })

  test('an empty variable is ignored', async () => {
    const files = { 'config.json': '{"listen": {"port": 1}}' }
    const { config } = await configOf({ files, env: { CONTINUATION_PORT: '', CONTINUATION_WIDGET_KEY: '' } })
    expect([config.listen.port, config.widgetKey]).toEqual([1, undefined])
  })

  test.each<[string, Readonly<Record<string, string>>, string, string, string | undefined]>([
    [
      'both widget keys',
      { CONTINUATION_WIDGET_KEY: 'a', CONTINUATION_WIDGET_KEY_FILE: 'b' },
      'CONTINUATION_WIDGET_KEY_FILE',
      'CONTINUATION_WIDGET_KEY and CONTINUATION_WIDGET_KEY_FILE are both set',
      undefined,
    ],
    [
      'a misspelling',
      { CONTINUATION_PROT: '1' },
      'CONTINUATION_PROT',
      'unknown variable',
      'CONTINUATION_PORT',
    ],
    [
      'nothing of ours',
      { CONTINUATION_ZZZZZZZZZZZZZZZZ: '1' },
      'CONTINUATION_ZZZZZZZZZZZZZZZZ',
      'unknown variable',
      undefined,
    ],
    ['a port', { CONTINUATION_PORT: '80a' }, 'CONTINUATION_PORT', 'wrong type', undefined],
    ['a level', { CONTINUATION_LOG_LEVEL: 'inof' }, 'CONTINUATION_LOG_LEVEL', 'unknown word', '"info"'],
  ])('%s is a problem', async (_name, env, variable, message, suggestion) => {
    expect(await problemsOf({ env })).toEqual([{ place: `environment ${variable}`, message, suggestion }])
  })

  test('a variable that the config names is not misspelt, even in an invalid file', async () => {
    const env = { CONTINUATION_API_KEY: 'x' }
    const { config } = await configOf({
      env,
      files: { 'config.json': '{"apiKey": "env:CONTINUATION_API_KEY"}' },
    })
    expect(config.apiKey).toMatchObject({ kind: 'env', name: 'CONTINUATION_API_KEY' })
    const faulty = { 'config.json': '{"apiKey": "env:CONTINUATION_API_KEY", "x": 1}' }
    expect(await problemsOf({ env, files: faulty })).toHaveLength(1)
  })

  test.each(['CONTINUATION', 'CONTINUATION_POINT', 'CONTINUATION_SERVICE'])(
    'the variables that Kubernetes sets for a service named %s are ignored',
    async (name) => {
      const { config } = await configOf({
        env: {
          [`${name}_SERVICE_HOST`]: '10.0.0.7',
          [`${name}_SERVICE_PORT`]: '80',
          [`${name}_SERVICE_PORT_HTTP`]: '80',
          [`${name}_PORT`]: 'tcp://10.0.0.7:80',
          [`${name}_PORT_80_TCP`]: 'tcp://10.0.0.7:80',
          [`${name}_PORT_80_TCP_PROTO`]: 'tcp',
          [`${name}_PORT_80_TCP_PORT`]: '80',
          [`${name}_PORT_80_TCP_ADDR`]: '10.0.0.7',
        },
      })
      expect(config.listen.port).toBe(8080)
    },
  )

  test('without such a service those names are misspelt', async () => {
    expect(await problemsOf({ env: { CONTINUATION_SERVICE_HOST: 'h' } })).toHaveLength(1)
  })
})

describe('what overrides the file', () => {
  const files = {
    'config.json': '{"listen": {"host": "file", "port": 1}, "points": ["file"], "pages": ["file"]}',
  }
  const env = {
    CONTINUATION_HOST: 'env',
    CONTINUATION_PORT: '2',
    CONTINUATION_POINTS: 'env',
    CONTINUATION_PAGES: 'env',
  }
  const flags = { host: 'flag', port: 3, points: ['flag'], pages: ['flag'] }

  test.each<[string, Setting, unknown]>([
    ['the file alone', { files }, ['file', 1, 'file', 'file']],
    ['environment over file', { files, env }, ['env', 2, 'env', 'env']],
    ['flag over environment', { files, env, flags }, ['flag', 3, 'flag', 'flag']],
    ['flag over file', { files, flags }, ['flag', 3, 'flag', 'flag']],
  ])('%s', async (_name, setting, expected) => {
    const { config } = await configOf(setting)
    expect([config.listen.host, config.listen.port, config.points[0]?.url, config.pages[0]?.url]).toEqual(
      expected,
    )
  })

  test('switches the admin listener on where the file switched it off', async () => {
    const off = { 'config.json': '{"admin": null}' }
    expect((await configOf({ files: off })).config.admin).toBeUndefined()
    const { config } = await configOf({ files: off, flags: { adminPort: 9999 } })
    expect(config.admin).toEqual({ host: '127.0.0.1', port: 9999, portIsDefault: false })
  })

  test('leaves the rest of a section as it was', async () => {
    const tls = { 'config.json': '{"listen": {"host": "file", "port": 1, "trustedProxies": []}}' }
    const { config } = await configOf({ files: tls, flags: { port: 0 } })
    expect(config.listen).toMatchObject({ host: 'file', port: 0, trustedProxies: [], tls: undefined })
  })

  test('does not hide a section of the wrong type', async () => {
    expect(await problemsOf({ files: { 'config.json': '{"listen": 5}' }, env })).toEqual([
      { place: 'config.json /listen', message: 'wrong type', suggestion: undefined },
    ])
  })
})
