import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ResponseReader } from '../../../src/proxy/internals/response-reader.ts'
import { SmallPieces } from '../../../src/proxy/small-pieces.ts'

/** A reader that expects a response, and a socket as far as it goes; `read` is what Node does with what has arrived. */
async function openReader() {
  const reader = new ResponseReader(new SmallPieces())
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy: vi.fn(),
    pause: vi.fn(),
    push: vi.fn(),
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
  return { reader, socket, read }
}

it('a small read takes the share of four pieces, and the socket is paused beyond it', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { socket, read } = await openReader()
  for (let reads = 0; reads < 5_000; reads += 1) await read('x')
  expect(socket.pause).not.toHaveBeenCalled()
  for (let reads = 0; reads < 500; reads += 1) await read('x')
  expect(socket.pause).toHaveBeenCalled()
  expect(socket.destroy).not.toHaveBeenCalled()
})

it('a socket that has been read since it was paused, as records of TLS are, is paused again', async () => {
  const { reader, socket, read } = await openReader()
  reader.pause()
  await null
  await read('x')
  expect(socket.pause).toHaveBeenCalledTimes(2)
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

it('a connection is free after its share', async () => {
  const { reader } = await openReader()
  const free = vi.fn()
  reader.hold()
  reader.expectNothing()
  reader.afterShare(free)
  expect(free).not.toHaveBeenCalled()
  reader.release()
  await new Promise(setImmediate)
  expect(free).toHaveBeenCalledTimes(1)
})
