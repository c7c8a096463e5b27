/*
 * A client that sends a request and reads nothing costs itself next to nothing. It held the place of its exchange, and the
 * connection to the service if the response was larger than 70 KB, for as long as it liked; refusals were held without any
 * bound: 6 MB of them ended a process with a heap of 128 MiB.
 */

import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isInstalled } from '../deploy/installed.ts'
import type { Script } from '../support/recording-upstream.ts'
import { until } from '../support/until.ts'
import { MEBIBYTE, OK, request, type Serve, SMALL_HEAP, startBoth } from './serve.ts'

const script = fileURLToPath(new URL('never-reads.py', import.meta.url))

/** Answers by path: never, with 1 MiB, endlessly in chunks of one octet, or with 1,500 octets. */
const answerByPath: Script = ({ startLine }, socket) => {
  const answer = (length: number) =>
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`)
  if (startLine.includes('/octets')) sendOctets(socket)
  else if (!startLine.includes('/hang')) answer(startLine.includes('/large') ? MEBIBYTE : 1_500)
}

/** An endless body, in chunks of one octet. */
function sendOctets(socket: Socket): void {
  const pieces = '1\r\nx\r\n'.repeat(5_000)
  const send = () => {
    if (!socket.destroyed && socket.write(pieces)) setImmediate(send)
  }
  socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
  socket.on('drain', send).on('error', () => {})
  send()
}

async function neverRead(serve: Serve, count: number, octets: string): Promise<void> {
  const child = spawn('python3', [script, String(serve.port), String(count), octets], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise((resolve) => child.stdout.once('data', resolve))
}

describe.runIf(isInstalled('python3'))('clients that read nothing', () => {
  const refused = 'GET /x HTTP/1.1\r\nHost: www.example.com\r\nAccept: text/html\r\n\r\n'
  const withHead = (octets: string, length: number) =>
    octets.replace('\r\n\r\n', `\r\nX-A: ${'x'.repeat(length)}\r\n\r\n`)
  it.each([
    [
      'requests behind a large response',
      200,
      request('GET', 'large') + withHead(request('GET', 'x'), 550).repeat(94),
    ],
    ['requests that are refused', 1_200, refused.repeat(95)],
    [
      'requests with large heads that are refused',
      1_000,
      refused.repeat(20) + withHead(refused, 25_000).repeat(2),
    ],
    ['responses in chunks of one octet', 30, request('GET', 'octets')],
  ])('keep the memory flat: %s', async (_what, count, octets) => {
    const { serve } = await startBoth(answerByPath, {}, SMALL_HEAP)
    const before = await serve.heapBytes()
    await neverRead(serve, count, octets)
    for (let i = 0; i < 10; i += 1) expect(await serve.visit()).toBe(OK)
    expect(((await serve.heapBytes()) - before) / MEBIBYTE).toBeLessThan(40)
    expect(serve.program.stderr()).toBe('')
  })

  it.each([
    ['places', { concurrentRequests: 32, upstreamConnections: 32 }, 'large'],
    ['connections to the service', { upstreamConnections: 8 }, 'large'],
  ])('give way to visitors who need their %s', async (_what, limits, path) => {
    const { serve } = await startBoth(answerByPath, { limits, log: { access: true } })
    // The kernel may take 4 MiB of each, as it has learnt of earlier connections.
    await neverRead(serve, 64, request('GET', path))
    // Who comes after all others waits for the connections that these get in turn, two seconds each.
    const isRevoked = () => /"outcome":"request-timeout","code":"REVOKED"/.test(serve.program.stdout())
    await until(async () => (await serve.visit()) === OK && isRevoked())
  })
})

it('clients that left behind requests that they sent ahead hold nothing', async () => {
  const { serve } = await startBoth(answerByPath, { limits: { upstreamConnections: 8 } })
  for (let i = 0; i < 16; i += 1) {
    const client = await serve.ask(request('GET', 'hang').repeat(2))
    client.close()
  }
  expect(await serve.visit()).toBe(OK)
})

// Node takes its listeners off a socket when a CONNECT comes.
it('a client that left is noticed behind a CONNECT too', async () => {
  const { serve } = await startBoth(answerByPath, {
    limits: { upstreamConnections: 1 },
    log: { access: true },
  })
  const client = await serve.ask(`${request('GET', 'hang')}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`)
  client.socket.end()
  await serve.program.printed(/"outcome":"client-abort"/)
  expect(await serve.visit()).toBe(OK)
})

it('a client that reads slowly, and all the time, keeps its response while others wait', async () => {
  const { serve } = await startBoth(answerByPath, { limits: { upstreamConnections: 1 } })
  const slow = await serve.ask(request('GET', 'large'))
  let octets = 0
  slow.socket.on('data', (piece) => {
    octets += piece.length
    slow.socket.pause()
    setTimeout(() => slow.socket.resume(), 40)
  })
  expect(await serve.visit()).toBe(OK)
  await until(() => octets > MEBIBYTE)
})
