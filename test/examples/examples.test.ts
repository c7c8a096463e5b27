import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/parse.ts'
import { openClient } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { onlyValue, type WireMessage } from '../support/wire.ts'
import { BUILT, skipsFrameworks } from './built-frameworks.ts'
import { type RunningExample, startExample } from './start-example.ts'

const folder = fileURLToPath(new URL('../../deploy/examples', import.meta.url))
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
/** It shows sessions, and has no continuation points. */
const DESK = 'agent-desk'
const IN_EVERY_CHECKOUT = ['connect', 'express', 'fastify', 'hono', 'koa', 'node-http']

it('has an example for each framework', () => {
  expect(names.sort()).toEqual([...IN_EVERY_CHECKOUT, ...Object.keys(BUILT), DESK].sort())
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

function judgeExample(name: string): void {
  let upstream: RecordingUpstream
  let example: RunningExample

  beforeAll(async () => {
    upstream = await startUpstream(({ startLine }, socket) => {
      socket.write(
        'HTTP/1.1 201 Made here\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; HttpOnly\r\nContent-Length: 6\r\n\r\n',
      )
      if (!startLine.startsWith('HEAD')) socket.write('answer')
    })
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

  it('forwards the raw path and query, with the fields of the point', async () => {
    const before = upstream.requests.length
    const answer = await ask(
      head(
        'GET',
        '/shop/service_cookie_transfer/a%2Fb//%7E%zz?q=%7B1%7D&&',
        'X-Widget-Key: forged\r\nx_continuation_origin: forged\r\nCookie: sid=1; x="y"\r\n',
      ),
    )
    expect(answer.startLine).toBe('HTTP/1.1 201 Made here')
    expect(answer.body).toBe('answer')
    const [request] = upstream.requests.slice(before)
    expect(request?.startLine).toBe('GET /service_cookie_transfer/a%2Fb//%7E%zz?q=%7B1%7D&& HTTP/1.1')
    expect(request?.fields.filter(([field]) => !/^(?:connection|via)$/i.test(field))).toEqual([
      ['host', upstream.authority],
      ['Cookie', 'sid=1; x="y"'],
      ['X-Widget-Key', 'example-widget-key'],
      ['X-Continuation-Origin', 'https://www.example.com'],
      ['X-Forwarded-For', '127.0.0.1'],
    ])
  })

  it('answers with the fields of the service and none of the framework', async () => {
    const answer = await ask(head('GET', POINT))
    expect(answer.fields.filter(([field]) => !/^(?:date|connection|keep-alive)$/i.test(field))).toEqual([
      ['Set-Cookie', 'a=1; Path=/'],
      ['Set-Cookie', 'b=2; HttpOnly'],
      ['Content-Length', '6'],
      ['Cache-Control', 'private, no-store'],
    ])
  })

  it.each([
    ['a length', 'Content-Length: 20\r\n', '{"greeting":"hello"}'],
    ['chunks', 'Transfer-Encoding: chunked\r\n', 'b\r\n{"greeting"\r\n9\r\n:"hello"}\r\n0\r\n\r\n'],
  ])('forwards a body with %s before any parser sees it', async (_framing, line, octets) => {
    const before = upstream.requests.length
    await ask(head('POST', POINT, `Content-Type: application/json\r\n${line}`) + octets, 'POST')
    expect(upstream.requests.slice(before).map(({ body }) => body)).toEqual(['{"greeting":"hello"}'])
  })

  it('accepts the 32 KiB of cookies that check sends', async () => {
    const before = upstream.requests.length
    const cookie = `big=${'x'.repeat(32 * 1024 - 4)}`
    const answer = await ask(head('GET', POINT, `Cookie: ${cookie}\r\n`))
    expect(answer.startLine).toBe('HTTP/1.1 201 Made here')
    const [request] = upstream.requests.slice(before)
    expect(onlyValue(request?.fields ?? [], 'cookie')).toBe(cookie)
  })

  it('answers HEAD without a body', async () => {
    const client = await openClient(example.port)
    client.write(head('HEAD', POINT) + head('GET', POINT))
    const [first, second] = [await client.response('HEAD'), await client.response()]
    client.close()
    expect(first.startLine).toBe('HTTP/1.1 201 Made here')
    expect(onlyValue(first.fields, 'content-length')).toBe('6')
    expect(second.body).toBe('answer')
  })

  it('refuses a body over the limit before it is sent', async () => {
    const before = upstream.requests.length
    const answer = await ask(head('POST', POINT, 'Content-Length: 1000001\r\n'), 'POST')
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
    const answer = await ask(`${head('POST', '/api/greeting', fields)}${body}`, 'POST')
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

  async function ask(octets: string, method = 'GET'): Promise<WireMessage> {
    const client = await openClient(example.port)
    client.write(octets)
    const answer = await client.response(method)
    client.close()
    return answer
  }
}

function head(method: string, target: string, lines = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: www.example.com\r\n${lines}\r\n`
}

const POINT = '/shop/service_cookie_transfer/init'

/** The frameworks whose example reads a body after the points. */
const READS_BODIES = ['express', 'fastify', ...Object.keys(BUILT)]
