/*
 * Every client connection takes a file descriptor, and how many there are is up to the clients. Once none is left, whatever
 * opens a file fails, such as reading how much memory the process has: that must not end it. Nor must clients take them all.
 */

import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { type ClientTls, openClient } from '../support/raw-client.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import { until } from '../support/until.ts'
import { OK, request, SHOP_TLS, startBoth, startTls } from './serve.ts'

it('serve outlasts a time without file descriptors', async () => {
  const { serve } = await startBoth(undefined, { timeouts: { idle: '1s' } })
  // Once a response has come, the connection has been accepted: it has its descriptor.
  const slow = await serve.ask(request('GET', 'first'))
  expect((await slow.response()).startLine).toBe(OK)
  slow.write('GET /')
  setFileLimit(serve.program.child.pid, 10)
  // Within the second after which an incomplete head is refused, the memory is read several times.
  expect((await slow.response()).startLine).toBe('HTTP/1.1 408 Request Timeout')
  setFileLimit(serve.program.child.pid, 1024)
  expect(await serve.visit()).toBe(OK)
  expect(serve.program.stderr()).toBe('')
})

it.each([
  ['plain http', startBoth, undefined],
  ['TLS', startTls, SHOP_TLS],
])('%s: idle clients leave files for requests, and give way to visitors', async (_, start, tls) => {
  const { serve } = await start(undefined, {}, { fileLimit: FILE_LIMIT })
  // More than the process could have open.
  const clients = Array.from({ length: 3 * FILE_LIMIT }, () => askOnce(serve.port, tls))
  const outcomes = await Promise.all(clients.map(async (client) => (await client).outcome))
  const answered = outcomes.filter((outcome) => outcome === OK)
  // All connections at once may not have a request: a quarter is for idle ones, which give way.
  expect(outcomes.filter((outcome) => ![OK, OVERLOADED, 'closed'].includes(outcome))).toEqual([])
  expect(outcomes).toContain('closed')
  const warning =
    /"level":"warn"[^\n]*"clientConnections":(\d+),"limitedBy":"files"[^\n]*the limit of open files allows no more/g
  const [, most] = await serve.program.printed(new RegExp(warning.source))
  expect(answered.length).toBeGreaterThanOrEqual((Number(most) * 3) / 4 - 1)
  expect(serve.program.stdout().match(warning)?.length).toBe(1)
  for (let i = 0; i < 4; i += 1) {
    const visitor = await askOnce(serve.port, tls)
    expect(visitor.outcome).toBe(OK)
    visitor.close()
  }
  for (const client of clients) (await client).close()
  // It may take a moment until the process has noticed.
  await until(async () => {
    const next = await Promise.all(Array.from({ length: 4 }, () => askOnce(serve.port, tls)))
    for (const { close } of next) close()
    return next.every(({ outcome }) => outcome === OK)
  })
  expect(serve.program.stderr()).toBe('')
})

interface Asked {
  /** The start line of the response, or that the connection was closed without one. */
  readonly outcome: string
  close(): void
}

async function askOnce(port: number, tls: ClientTls | undefined): Promise<Asked> {
  try {
    const client = await openClient(port, tls)
    const idle = request('GET', 'idle')
    client.write(tls === undefined ? idle : idle.replace(POINT_HOST, tls.servername))
    return await client.response().then(
      ({ startLine }) => ({ outcome: startLine, close: client.close }),
      () => ({ outcome: 'closed', close: client.close }),
    )
  } catch {
    return { outcome: 'closed', close: () => {} }
  }
}

/** Changes the soft limit, so that it can be raised again. */
function setFileLimit(pid: number | undefined, limit: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`])
}

const OVERLOADED = 'HTTP/1.1 503 Service Unavailable'
const FILE_LIMIT = 64
