/*
 * A service that sends its responses in pieces of one octet, chunks or TLS records. Each costs as much as a large one.
 *

 */

import type { Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { certificate, pemOf } from '../support/certificates/certificate.ts'
import { answerOk, startUpstream } from '../support/recording-upstream.ts'
import { OK, request, startBoth, startServe } from './serve.ts'

/** The program with a service that answers visitors, and floods whoever asks for `tiny`. */
async function openFlood(connections: number, flood: (socket: Socket) => void) {
  const flooded: Socket[] = []
  const { upstream, serve } = await startBoth((received, socket) => {
    if (received.startLine.includes('/tiny')) flooded.push(socket)
    else answerOk(received, socket)
  })
  const asked = Array.from({ length: connections }, () => serve.ask(request('GET', 'tiny')))
  const clients = await Promise.all(asked)
  await upstream.arrived(connections)
  await serve.whileStopped(() => flooded.forEach(flood))
  return { clients, serve }
}

const CHUNKED = `${OK}\r\nTransfer-Encoding: chunked\r\n\r\n`
const CHUNKS = Buffer.from('1\r\nx\r\n'.repeat(4_000_000), 'latin1')

it('visitors are answered beside tiny chunks that do not end', async () => {
  const { serve } = await openFlood(12, (socket) => {
    socket.write(CHUNKED)
    socket.write(CHUNKS)
  })
  for (let visits = 0; visits < 10; visits += 1) expect(await serve.visit()).toBe(OK)
})

it('30,000 tiny chunks all arrive', async () => {
  const { clients, serve } = await openFlood(1, (socket) => {
    socket.write(CHUNKED + '1\r\nx\r\n'.repeat(30_000))
    socket.write('0\r\n\r\n')
  })
  const [client] = clients
  expect((await client?.response())?.body).toBe('x'.repeat(30_000))
  expect(await serve.visit()).toBe(OK)
})

it('a head and a body in TLS records of one octet arrive whole', async () => {
  const body = '0123456789'.repeat(250)
  const octets = `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const upstream = await startUpstream(
    async (_received, socket) => {
      for (const octet of octets) await new Promise((resolve) => socket.write(octet, resolve))
    },
    { tls: { cert: pemOf('service.cert'), key: pemOf('service.key') } },
  )
  onTestFinished(() => upstream.close())
  const url = `https://localhost:${upstream.port}`
  const serve = await startServe(url, { service: { url, ca: `file:${certificate('authority.cert')}` } })
  const client = await serve.ask(request('GET', 'tiny'))
  expect(await client.response()).toMatchObject({ startLine: OK, body })
})
