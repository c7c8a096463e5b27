/*
 * `check` with a heap of 64 MB, against points, and a REST API, that answer so as to end them. Node's HTTP/2
 * leaves the error of a promised stream to a listener that nobody thinks of, and Node 20 forgets a connection after some
 * frames that it didn't expect, so that the process ends at once.
 */

import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { certificate, pemOf } from '../support/certificates/certificate.ts'
import { listenForTest } from '../support/listen.ts'
import { startProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const inFolder = temporaryFolder()

// RFC 9113 section 6.
const [DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, GOAWAY] = [0, 1, 3, 4, 5, 7]
const END_HEADERS = 4

function frame(type: number, stream: number, payload: readonly number[], flags = 0): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, Buffer.from(payload)])
}

/** Of stream 2, for GET https://a/, in HPACK's static table but for the authority. */
const promised = [0, 0, 0, 2, 0x82, 0x84, 0x87, 0x41, 1, 0x61]
const promise = Buffer.concat([
  frame(PUSH_PROMISE, 1, promised, END_HEADERS),
  // :status: 200
  frame(HEADERS, 2, [0x88], END_HEADERS),
])

/** Checks some points, and expects a report. */
async function expectReport(points: readonly string[], service: string): Promise<void> {
  const file = inFolder('config.json')
  await writeFile(
    file,
    JSON.stringify({ service: { url: service }, widgetKey: 'key', apiKey: 'rest-key', points }),
  )
  const words = ['check', '--config', file, '--ca-file', certificate('authority.cert')]
  const program = startProgram(words, { nodeFlags: ['--max-old-space-size=64'] })
  const code = await program.ended()
  expect(program.stderr()).not.toMatch(/FATAL|Error/)
  expect([0, 1, 3]).toContain(code)
  expect(program.stdout()).toMatch(/\d+ passed/)
}

it('points that speak HTTP/2 alone promise a stream, and then send what nobody expects', async () => {
  const [cert, key] = [pemOf('service.cert'), pemOf('service.key')]
  const attacks = [
    frame(RST_STREAM, 2, [0, 0, 0, 2]),
    frame(GOAWAY, 0, [0, 0, 0, 1, 0, 0, 0, 1]),
    frame(DATA, 99, [0, 0, 0, 0]),
  ]
  const points = await Promise.all(
    attacks.map(async (attack) => {
      const server = createTlsServer({ cert, key, ALPNProtocols: ['h2'] }, (socket) => {
        socket.on('error', () => {})
        socket.once('data', () => {
          socket.write(frame(SETTINGS, 0, []))
          setImmediate(() => socket.write(Buffer.concat([promise, attack])))
        })
      })
      return `https://localhost:${await listenForTest(server)}/service_cookie_transfer/`
    }),
  )
  await expectReport(points, 'http://127.0.0.1:1')
})

describe('five points', () => {
  it.each<[string, (request: IncomingMessage) => { lines?: readonly string[]; body: string }]>([
    [
      'claim to be a stand-in that has 40,000 checks',
      (request) => ({ body: standIn(request, '{},', 40_000) }),
    ],
    ['have pages of 1 MiB', () => ({ body: 'ā'.repeat(524_288) })],
    [
      'have heads of 5,000 lines',
      () => ({ lines: Array.from({ length: 5_000 }, (_, at) => `x${at}`), body: 'no' }),
    ],
  ])('%s', async (_what, answer) => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        const { lines = [], body } = answer(request)
        response.writeHead(200, [
          ...['Content-Type', 'application/json', 'Connection', 'close'],
          ...lines.flatMap((name) => [name, String(Math.random()).slice(2, 5)]),
        ])
        response.end(body)
      })
    })
    const origin = `http://www.shop.localhost:${await listenForTest(server)}`
    const paths = Array.from({ length: 5 }, (_, at) => `/p${at}/service_cookie_transfer/`)
    await expectReport(
      paths.map((path) => origin + path),
      origin.replace('www.shop.localhost', '127.0.0.1'),
    )
  })
})

it.each([
  ['32 MiB, compressed', gzipSync(`{"x":[${'{},'.repeat(11_000_000)}{}]}`), 'gzip'],
  ['1 MB of entries that are none', Buffer.from(`{"cookie_transfer_urls":[${'{},'.repeat(340_000)}{}]}`)],
  ['arrays in arrays', Buffer.from(`{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)],
])('a REST API answers with %s', async (_what, body, coding = 'identity') => {
  const server = createServer(({ url = '' }, response) => {
    const status = url.startsWith('/v2/') ? 200 : 404
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Encoding': coding })
    response.end(status === 200 ? body : '')
  })
  const service = `http://127.0.0.1:${await listenForTest(server)}`
  await expectReport([`${service}/service_cookie_transfer/`], service)
})

function standIn({ method, url, headers }: IncomingMessage, check: string, checks: number): string {
  const [, port = ''] = headers.host?.split(':') ?? []
  const origins = [`http://www.shop.localhost:${port}`]
  const report = {
    ...{ standIn: 1, listedUrls: [], nonce: String(Math.random()) },
    checks: [{ check: 'allowed', outcome: 'pass' }],
    received: {
      ...{
        method,
        target: url?.replace(/^\/p\d/, ''),
        host: `127.0.0.1:${port}`,
        continuationOrigins: origins,
      },
      ...{ cookies: [], cookieLineOctets: [] },
      ...{ widgetKey: { lines: 1, known: true }, body: { octets: 0, sha256: '' } },
    },
  }
  return JSON.stringify(report).replace('"checks":[', `"checks":[${check.repeat(checks)}`)
}
