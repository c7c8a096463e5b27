import { describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { fakeIo } from './fake-io.ts'

const POINT = 'https://www.example.com/service_cookie_transfer/'

async function refusal(line: string, io = fakeIo()): Promise<string> {
  expect(await run(line.split(' '), io)).toBe(2)
  return io.written.stderr
}

describe('without a config file', () => {
  it.each(['serve --test', 'render nginx', 'settings diff'])(
    '%s says that there is none, and what to do, as one problem',
    async (line) => {
      expect(await refusal(line)).toBe(
        'config.json: there is no config: this file does not exist\n' +
          '  expected a file that the command init writes, another one named with --config, ' +
          'or the variables CONTINUATION_SERVICE_URL, CONTINUATION_POINTS and CONTINUATION_WIDGET_KEY\n',
      )
    },
  )

  it('serve lists all that a part of the variables lacks, without a place in the file', async () => {
    const env = { CONTINUATION_SERVICE_URL: 'https://service.example' }
    const text = await refusal('serve --test', fakeIo({}, env))
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith(' '))).toEqual([
      'config.json: there is no config: this file does not exist',
      'config.json /points: there is no continuation point to serve',
      'config.json /widgetKey: there is no widget key',
    ])
  })

  const withSecrets = {
    service: { url: 'https://service.example', ca: 'env:CA' },
    widgetKey: 'env:KEY',
    apiKey: 'env:REST',
    points: [POINT],
  }
  it.each<[string, string, object | undefined, Record<string, string>, string[]]>([
    [
      'serve, from variables alone',
      'serve --test',
      undefined,
      { CONTINUATION_SERVICE_URL: 'nonsense', CONTINUATION_PORT: 'x' },
      [
        'environment CONTINUATION_SERVICE_URL: it is not an absolute http or https URL',
        'environment CONTINUATION_PORT: wrong type',
        'config.json: there is no config: this file does not exist',
        'config.json /points: there is no continuation point to serve',
        'config.json /widgetKey: there is no widget key',
      ],
    ],
    [
      'serve, with secrets that are not set',
      'serve --test',
      withSecrets,
      { CONTINUATION_ADMIN_PORT: '70000', CONTINUATION_POINTZ: POINT },
      [
        'environment CONTINUATION_ADMIN_PORT: ',
        'environment CONTINUATION_POINTZ: unknown variable, did you mean CONTINUATION_POINTS?',
        ' /widgetKey: the variable KEY is not set',
        ' /service/ca: the variable CA is not set',
      ],
    ],
    [
      'settings',
      'settings diff',
      withSecrets,
      { CONTINUATION_PORT: 'x' },
      [
        'environment CONTINUATION_PORT: wrong type',
        ' /apiKey: the variable REST is not set',
        ' /service/ca: the variable CA is not set',
      ],
    ],
    [
      'a flag that is wrong',
      'serve --test --host a/b',
      withSecrets,
      { CA: '-----BEGIN CERTIFICATE-----' },
      ['command line --host: not a host name', ' /widgetKey: the variable KEY is not set'],
    ],
  ])('%s: all faults of the environment at once', async (_name, line, config, env, expected) => {
    const text = await refusal(
      line,
      fakeIo(config === undefined ? {} : { 'config.json': JSON.stringify(config) }, env),
    )
    const told = text.split('\n').filter((each) => each !== '' && !each.startsWith(' '))
    expect(told).toEqual(expected.map((each) => expect.stringContaining(each)))
  })

  it('serve blames the invalid variable, and not the file that is not needed', async () => {
    const env = {
      CONTINUATION_SERVICE_URL: 'https://service.example',
      CONTINUATION_WIDGET_KEY: 'key',
      CONTINUATION_POINTS: 'https://www.example.com/',
    }
    const text = await refusal('serve --test', fakeIo({}, env))
    expect(text).toMatch(/^environment CONTINUATION_POINTS: this is not a continuation point/)
    expect(text).not.toContain('config.json')
  })
})

describe('a config that names no point', () => {
  const text = `{\n  "service": { "url": "https://service.example" },\n  "widgetKey": "key",\n  "points": [],\n}`

  it.each(['serve --test', 'render nginx'])('%s shows the line of the list', async (line) => {
    expect(await refusal(line, fakeIo({ 'config.json': text }))).toMatch(
      /^config\.json:4:13 \/points: there is no/,
    )
  })

  it('has no missing file', async () => {
    expect(await refusal('serve --test', fakeIo({ 'config.json': '{}' }))).not.toContain('does not exist')
    const served = fakeIo({}, { CONTINUATION_POINTS: POINT, CONTINUATION_WIDGET_KEY: 'key' })
    expect(await refusal('serve --test', served)).toContain('config.json /service: service.url is missing')
  })
})
