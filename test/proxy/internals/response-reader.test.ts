import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { ResponseReader } from '../../../src/proxy/internals/response-reader.ts'

/** A reader that expects a response, and a socket as far as it goes; `read` is what Node does with what has arrived. */
async function openReader() {
  const reader = new ResponseReader()
  const pushed: unknown[] = []
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy: vi.fn(),
    pause: vi.fn(),
    push: (octets: Buffer | null) => void pushed.push(octets?.toString('latin1') ?? null),
    resume: vi.fn(),
  })
  reader.attach(socket as unknown as Socket)
  reader.expect()
  const read = async (text: string) => {
    const octets = Buffer.from(text, 'latin1')
    reader.socketOptions.onread.callback.call(socket as never, octets.length, octets)
    await null
  }
  await read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
  return { reader, socket, read, pushed }
}

it.each([
  ['the turn of the event loop ends', () => new Promise(setImmediate), ['abc']],
  ['the service closes', (socket: { push(octets: null): void }) => socket.push(null), ['abc', null]],
])('small reads are joined until %s', async (_when, end, expected) => {
  const { socket, read, pushed } = await openReader()
  pushed.length = 0
  for (const octet of 'abc') await read(octet)
  expect(pushed).toEqual([])
  await end(socket)
  expect(pushed).toEqual(expected)
})

it('small reads are passed on before a large one', async () => {
  const { read, pushed } = await openReader()
  pushed.length = 0
  const large = 'x'.repeat(1_000)
  for (const octets of ['a', 'b', large]) await read(octets)
  expect(pushed).toEqual(['ab', large])
})

it('a socket that has been read since it was paused, as records of TLS are, is paused again', async () => {
  const { reader, socket, read } = await openReader()
  reader.pause()
  await null
  await read('x')
  expect(socket.pause).toHaveBeenCalledTimes(2)
  // What was joined is pushed now, so undici reads on.
  await new Promise(setImmediate)
  expect(socket.pause).toHaveBeenCalledTimes(3)
})
