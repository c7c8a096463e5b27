import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { askOnce } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { BUILT, skipsFrameworks } from './built-frameworks.ts'
import { type RunningExample, startExample } from './start-example.ts'

const folder = fileURLToPath(new URL('../../deploy/examples', import.meta.url))
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const IN_EVERY_CHECKOUT = ['connect', 'express', 'fastify', 'hono', 'koa', 'node-http']

it('has an example for each framework', () => {
  expect(names.sort()).toEqual([...IN_EVERY_CHECKOUT, ...Object.keys(BUILT)].sort())
})

it('has a config that parses', () => {
  expect(parseConfig(readFileSync(join(folder, 'config.json'), 'utf8'), 'config.json')).toHaveProperty(
    'config',
  )
})

describe.each(IN_EVERY_CHECKOUT)('the example for %s', judgeExample)

describe.skipIf(skipsFrameworks).each(Object.keys(BUILT))(
  'the example for %s, built in FRAMEWORKS',
  (name) => {
    judgeExample(name)
  },
)

/** What the conformance suite does not ask the same examples, in test/conformance/in-apps.test.ts. */
function judgeExample(name: string): void {
  let upstream: RecordingUpstream
  let example: RunningExample

  beforeAll(async () => {
    upstream = await startUpstream()
    example = await startExample(name, {
      service: { url: upstream.origin },
      widgetKey: 'env:WIDGET_KEY',
      points: ['https://www.example.com/shop/service_cookie_transfer/'],
      limits: { bodyBytes: 1_000_000 },
    })
  })
  afterAll(async () => {
    await upstream.close()
  })

  it('is under 15 lines', () => {
    expect(
      readFileSync(join(folder, name, 'server.mjs'), 'utf8')
        .trimEnd()
        .split('\n').length,
    ).toBeLessThan(15)
  })

  it('refuses a body over the limit before it is sent', async () => {
    const before = upstream.requests.length
    const answer = await ask(head('POST', POINT, 'Content-Length: 1000001\r\n'))
    expect(answer.startLine).toBe('HTTP/1.1 413 Payload Too Large')
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'body-too-large' })
    expect(upstream.requests.length).toBe(before)
  })

  it('leaves every other request to the site, body and all', async () => {
    const before = upstream.requests.length
    for (const target of ['/', '/shop', '/shop/service_cookie_transfer_other']) {
      const { body } = await ask(head('GET', target))
      if (name in BUILT) expect(body).toContain('<p>the site</p>')
      else expect(body).toBe('the site')
    }
    const body = '{"greeting":"hello"}'
    const fields = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    const answer = await ask(`${head('POST', '/api/greeting', fields)}${body}`)
    expect(answer.body).toBe(READS_BODIES.includes(name) ? 'hello' : 'the site')
    expect(upstream.requests.length).toBe(before)
  })

  it.runIf(name in BUILT)('leaves the scripts of the site’s pages to the site', async () => {
    const { body: page } = await ask(head('GET', '/'))
    const scripts = [...page.matchAll(/"([^"]+\.js)(?:\?[^"]*)?"/g)].map(([, path = '']) => path)
    expect(scripts.length).toBeGreaterThan(0)
    for (const path of scripts) {
      const answer = await ask(head('GET', new URL(path, 'http://www.example.com/').pathname))
      expect([path, answer.startLine]).toEqual([path, 'HTTP/1.1 200 OK'])
    }
  })

  it('ends on SIGTERM', async () => {
    expect(await example.stop(), example.program.stderr()).toBe(0)
  })

  const ask = (octets: string) => askOnce(example.port, octets)
}

function head(method: string, target: string, lines = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: www.example.com\r\n${lines}\r\n`
}

const POINT = '/shop/service_cookie_transfer/init'

/** The frameworks whose example reads a body after the points. */
const READS_BODIES = ['express', 'fastify', ...Object.keys(BUILT)]
