import { expect, it } from 'vitest'
import type { Script } from '../support/recording-upstream.ts'
import { get, openScene, PATH } from './scene.ts'

const body = Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join('')

const answer: Script = ({ startLine }, socket) => {
  const [, pieceOctets] = /piece=(\d+)/.exec(startLine) ?? []
  const isChunked = startLine.includes('chunked')
  socket.write(
    `HTTP/1.1 200 OK\r\n${isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`}\r\n\r\n`,
  )
  const pieces: string[] = []
  for (let at = 0; at < body.length; at += Number(pieceOctets)) {
    const piece = body.slice(at, at + Number(pieceOctets))
    pieces.push(isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece)
  }
  for (let at = 0; at < pieces.length; at += 100) socket.write(pieces.slice(at, at + 100).join(''))
  if (isChunked) socket.write('0\r\n\r\n')
}

it.each([
  ['chunked', 7],
  ['chunked', 1_000],
  ['chunked', 60_000],
  ['length', 1_000],
  ['length', 60_000],
])('a client that reads with pauses gets every octet in order: %s, pieces of %i', async (framing, piece) => {
  const scene = await openScene(answer)
  const client = await scene.ask('')
  client.socket.on('data', () => {
    client.socket.pause()
    setImmediate(() => client.socket.resume())
  })
  client.write(get().replace(PATH, `${PATH}${framing}?piece=${piece}`))
  const response = await client.response()
  expect(response.body.length).toBe(body.length)
  expect(response.body === body).toBe(true)
})
