import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { UnreadMessage } from '../../../src/proxy/internals/unread-headers.ts'
import { listenForTest } from '../../support/listen.ts'

it.each([
  ['request', 'Cookie: a=1', {}],
  ['checkContinue', 'Expect: 100-continue', { host: 'x', expect: '100-continue' }],
  ['checkExpectation', 'eXpect: something', { host: 'x', expect: 'something' }],
])('Node calls its listener of %s for %s', async (event, line, headers) => {
  const server = createServer({ IncomingMessage: UnreadMessage, requireHostHeader: false })
  const client = connect(await listenForTest(server), '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.write(`GET / HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n`)
  const [incoming] = (await once(server, event)) as [IncomingMessage]
  expect(incoming.rawHeaders).toEqual(['Host', 'x', ...line.split(': ')])
  expect(incoming.headers).toEqual(headers)
})
