import { describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { fakeIo } from './fake-io.ts'

const POINT = 'https://www.example.com/service_cookie_transfer/'

async function refusal(words: readonly string[], io = fakeIo()): Promise<string> {
  expect(await run(words, io)).toBe(2)
  return io.written.stderr
}

describe('without a config file', () => {
  it.each([
    ['serve', ['serve', '--test']],
    ['render', ['render', 'nginx']],
    ['settings', ['settings', 'diff']],
  ])('%s says that there is none, what makes one, and no place in it', async (_name, words) => {
    const text = await refusal(words)
    expect(text).toMatch(/^config\.json: there is no config: this file does not exist\n/)
    expect(text).toContain('continuation-point init')
    expect(text).toContain('config.json /points: there is no continuation point')
    expect(text).not.toMatch(/config\.json:\d/)
  })

  it('check names init', async () => {
    expect(await refusal(['check'])).toMatch(/there is no config\.json here.*continuation-point init/)
  })

  it('serve blames the variable that is wrong, and not the file that is not needed', async () => {
    const env = {
      CONTINUATION_SERVICE_URL: 'https://service.example',
      CONTINUATION_WIDGET_KEY: 'key',
      CONTINUATION_POINTS: 'https://www.example.com/',
    }
    const text = await refusal(['serve', '--test'], fakeIo({}, env))
    expect(text).toMatch(/^environment CONTINUATION_POINTS: this is not a continuation point/)
    expect(text).not.toContain('config.json')
  })
})

describe('a config that names no point', () => {
  const text = `{\n  "service": { "url": "https://service.example" },\n  "widgetKey": "key",\n  "points": [],\n}`

  it.each([
    ['serve', ['serve', '--test']],
    ['render', ['render', 'nginx']],
  ])('%s shows the line of the list', async (_name, words) => {
    expect(await refusal(words, fakeIo({ 'config.json': text }))).toMatch(
      /^config\.json:4:13 \/points: there is no/,
    )
  })

  it('is what init writes without a URL', async () => {
    const io = fakeIo()
    expect(await run(['init', '--output', '-'], io)).toBe(0)
    const written = io.written.stdout
    const line = written.split('\n').findIndex((each) => each.includes('"points"')) + 1
    const shown = await refusal(
      ['serve', '--test'],
      fakeIo({ 'config.json': written }, { WIDGET_KEY: 'key' }),
    )
    expect(shown).toContain(`config.json:${line}:13 /points: there is no continuation point to serve`)
  })

  it('has no missing file', async () => {
    expect(await refusal(['serve', '--test'], fakeIo({ 'config.json': '{}' }))).not.toContain(
      'does not exist',
    )
    const served = fakeIo({}, { CONTINUATION_POINTS: POINT, CONTINUATION_WIDGET_KEY: 'key' })
    expect(await refusal(['serve', '--test'], served)).toContain(
      'config.json /service: service.url is missing',
    )
  })
})
