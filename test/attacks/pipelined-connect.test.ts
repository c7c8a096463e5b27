/*
 * Once a CONNECT is parsed, Node takes its own listeners off the socket, the one for errors included. If the CONNECT waits
 * for the response to an earlier request, and the client resets the connection meanwhile, the error would have no listener,
 * which ends the process with all other visitors' requests.
 *
 * Contract, section 3: "any method but TRACE and CONNECT".
 */

import { expect, it } from 'vitest'
import { holdSome } from '../support/recording-upstream.ts'
import { OK, request, startBoth } from './serve.ts'

const CONNECT = 'CONNECT www.example.com:443 HTTP/1.1\r\nHost: www.example.com\r\n\r\n'

it('a reset behind a pipelined CONNECT ends only its own connection', async () => {
  const { upstream, serve } = await startBoth(holdSome)
  const attacker = await serve.ask(request('GET', 'hold') + CONNECT)
  await upstream.arrived(1)
  attacker.socket.resetAndDestroy()
  await serve.underWay(0)
  expect(await serve.visit()).toBe(OK)
  expect(serve.program.stderr()).toBe('')
})
