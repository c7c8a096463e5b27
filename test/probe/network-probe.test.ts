import { randomBytes } from 'node:crypto'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { describeReply } from '../../src/check/read/reply.ts'
import { networkProbe } from '../../src/probe/network-probe.ts'
import type { ProbeRequest } from '../../src/probe/probe.ts'
import { startRawFrontEnd } from '../support/front-ends/raw-front-end.ts'
import { openForTest } from '../support/open-for-test.ts'

const PLAIN: ProbeRequest = { method: 'GET', target: '/', fields: [], body: undefined }

/** Sends one request to a server of this machine. */
function send(port: number, request: ProbeRequest, more: { readonly answerMs?: number } = {}) {
  const probe = networkProbe({ version: '1.2.3', overrides: [], trust: undefined, ...more })
  return probe.send({ scheme: 'http', host: 'www.shop.localhost', port }, '127.0.0.1', request)
}

it.each([
  [
    'a target and fields unchanged',
    {
      method: 'GET',
      target: '/a%2Fb/%7E//c?q=%41+b',
      fields: ['cookie', 'a=1; b="2"', 'Cookie', 'c=\u00ff'],
      body: undefined,
    },
    [
      'GET /a%2Fb/%7E//c?q=%41+b HTTP/1.1',
      'Host: www.shop.localhost:PORT',
      'User-Agent: continuation-point/1.2.3',
      'Accept-Encoding: identity',
      'cookie: a=1; b="2"',
      'Cookie: c=\u00ff',
      'Connection: close',
      '',
      '',
    ],
  ],
  [
    'a body byte by byte',
    { method: 'PATCH', target: '/', fields: [], body: 'a\r\n\u00ff' },
    [
      'PATCH / HTTP/1.1',
      'Host: www.shop.localhost:PORT',
      'User-Agent: continuation-point/1.2.3',
      'Accept-Encoding: identity',
      'Content-Length: 4',
      'Connection: close',
      '',
      'a',
      '\u00ff',
    ],
  ],
])('sends %s', async (_what, request, lines) => {
  let octets = ''
  const server = await openForTest(
    startRawFrontEnd((socket, chunk) => {
      octets += chunk
      if (octets.includes('\r\n\r\n') && (request.body === undefined || octets.endsWith(request.body)))
        socket.end('HTTP/1.1 200 OK\r\nX-Odd:  a\r\nx-odd: b\r\n\r\nhello')
    }),
  )
  const reply = await send(server.port, request)
  expect(octets).toBe(lines.join('\r\n').replace('PORT', String(server.port)))
  expect(reply).toEqual({
    kind: 'response',
    status: 200,
    fields: ['X-Odd', 'a', 'x-odd', 'b'],
    body: 'hello',
  })
})

/** What comes for a response with this field line and these octets behind its head. */
async function askFor(line: string, body: Buffer, asked: { readonly bodyBytes?: number } = {}) {
  const server = await openForTest(
    startRawFrontEnd((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${line}\r\n\r\n`)
      socket.end(body)
    }),
  )
  return send(server.port, { ...PLAIN, ...asked })
}

it.each<[string, string, Buffer, string, string | undefined]>([
  ['a whole body', 'Content-Length: 5', Buffer.from('hello'), 'hello', undefined],
  ['a cut body', 'Content-Length: 9', Buffer.from('hello'), 'hello', 'ends after 5 bytes'],
  ['a cut chunk', 'Transfer-Encoding: chunked', Buffer.from('9\r\nhello'), 'hello', 'ends after 5 bytes'],
  ['gzip', 'Content-Encoding: gzip', gzipSync('hello'), 'hello', undefined],
  ['Brotli', 'Content-Encoding: br', brotliCompressSync('hello'), 'hello', undefined],
  ['gzip that is plain', 'Content-Encoding: gzip', Buffer.from('hello'), '', "can't be decoded"],
  ['an unknown coding', 'Content-Encoding: odd', Buffer.from('hello'), '', 'Content-Encoding says odd'],
  ['a bomb', 'Content-Encoding: gzip', gzipSync(Buffer.alloc(5_000_000)), '', "can't be decoded"],
])('reads %s', async (_what, line, body, text, fault) => {
  const reply = await askFor(line, body)
  expect(reply).toMatchObject({ kind: 'response', body: text })
  const said = reply.kind === 'response' ? reply.fault : 'no response'
  if (fault === undefined) expect(said).toBeUndefined()
  else expect(said).toContain(fault)
})

const LONG = randomBytes(400_000).toString('hex')
const KIBIBYTE = 1024

it.each([
  ['plain', 'Content-Length: 800000', Buffer.from(LONG)],
  ['gzip', 'Content-Encoding: gzip', gzipSync(LONG)],
  ['Brotli', 'Content-Encoding: br', brotliCompressSync(LONG)],
])('keeps the first 128 KiB of a long body, or what a request asks for: %s', async (_what, line, body) => {
  for (const [asked, kept] of [
    [{}, 128 * KIBIBYTE],
    [{ bodyBytes: 300 * KIBIBYTE }, 300 * KIBIBYTE],
  ] as const) {
    const reply = await askFor(line, body, asked)
    expect(reply).toMatchObject({ kind: 'response', body: LONG.slice(0, kept), isCut: true })
    expect(reply).not.toHaveProperty('fault')
  }
})

it('says how long it waited for an answer once it was connected', async () => {
  const server = await openForTest(startRawFrontEnd(() => {}))
  const reply = await send(server.port, PLAIN, { answerMs: 1500 })
  expect(reply).toMatchObject({ kind: 'none', cause: 'timeout', waitedMs: 1500 })
  expect(describeReply(reply)).toBe('the connection is accepted, but no answer comes within 1.5 s')
})
