import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ResponseReader } from '../../../src/proxy/internals/response-reader.ts'
import { SmallPieces } from '../../../src/proxy/small-pieces.ts'

/** A reader that expects a response, and a socket as far as it goes; `read` is what Node does with what has arrived. */
async function openReader(share = new SmallPieces(400)) {
  const reader = new ResponseReader(share)
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

it('a small read takes the share of eight pieces, and the socket is paused beyond it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { socket, read } = await openReader()
  for (let reads = 0; reads < 10_000; reads += 1) await read('x')
  expect(socket.pause).not.toHaveBeenCalled()
  for (let reads = 0; reads < 500; reads += 1) await read('x')
  expect(socket.pause).toHaveBeenCalled()
  expect(socket.destroy).not.toHaveBeenCalled()
})

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

it('a client that reads again does not release what the share holds, nor the other way round', async () => {
  const { reader, socket } = await openReader()
  reader.pause()
  reader.hold()
  await null
  reader.resume()
  expect(socket.resume).not.toHaveBeenCalled()
  reader.pause()
  reader.release()
  expect(socket.resume).not.toHaveBeenCalled()
  reader.resume()
  expect(socket.resume).toHaveBeenCalledTimes(1)
})

it('a connection whose response is complete is read on, whatever share it took', async () => {
  const { reader, socket } = await openReader()
  reader.hold()
  await null
  reader.expectNothing()
  expect(socket.resume).toHaveBeenCalledTimes(1)
})

it('an event stream is neither held nor given up beside a flood of small pieces', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const share = new SmallPieces(400)
  const [flood, stream] = [await openReader(share), await openReader(share)]
  for (let ms = 0; ms < 2_000; ms += 10) {
    for (let pieces = 0; pieces < 10_000; pieces += 1) flood.reader.countPiece()
    await stream.read('1\r\nx\r\n')
    stream.reader.countPiece()
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(flood.socket.destroy).toHaveBeenCalled()
  expect(stream.socket.pause).not.toHaveBeenCalled()
  expect(stream.socket.destroy).not.toHaveBeenCalled()
})
