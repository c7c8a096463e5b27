/*
 * Once a CONNECT is parsed, Node takes its own listeners off the socket, the one for errors included. If the CONNECT waits
 * for the response to an earlier request, and the client resets the connection meanwhile, the error would have no listener,
 * which ends the process with all other visitors' requests.
 *
 * Contract, section 3: "CONNECT gets 405 or a closed connection", and "Pipelined requests run one after another, in order".
 */

import { expect, it, onTestFinished } from 'vitest'
import { startUpstream } from '../support/recording-upstream.ts'
import { request, startServe } from './serve.ts'

const CONNECT = 'CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

it('a reset behind a pipelined CONNECT ends only its own connection', async () => {
  const service = await startUpstream(({ startLine }, socket) => {
    if (!startLine.includes('/held')) socket.write(OK)
  })
  onTestFinished(() => service.close())
  const serve = await startServe(service.origin)
  const attacker = await serve.ask(request('GET', 'held') + CONNECT)
  await service.arrived(1)
  attacker.socket.resetAndDestroy()
  await serve.underWay(0)
  const visitor = await serve.ask(request('GET', 'other'))
  expect((await visitor.response()).body).toBe('ok')
  expect(serve.program.stderr()).toBe('')
})
