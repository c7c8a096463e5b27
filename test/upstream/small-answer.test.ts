import { expect, it } from 'vitest'
import { answerWith } from '../support/recording-upstream.ts'
import { get, openScene } from './scene.ts'

it.each([
  [1, '1'],
  [10, 'a'],
  [26, '1a'],
  [300, '12c'],
])('a chunked response of %i octets, complete in one packet, gives its size as %s', async (octets, size) => {
  const body = 'x'.repeat(octets)
  const scene = await openScene(
    answerWith(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${octets.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ),
  )
  const client = await scene.ask(get())
  await client.received('\r\n0\r\n\r\n')
  const answer = client.pending()
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(`${size}\r\n${body}\r\n0\r\n\r\n`)
})
