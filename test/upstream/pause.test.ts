import { expect, it } from 'vitest'
import { answerOk, answerWith } from '../support/recording-upstream.ts'
import { turns } from '../support/until.ts'
import { goRound, openConnections } from './round-trip.ts'

it('notices the end of a close-delimited response that arrives while its reader pauses', async () => {
  const opened = await openConnections(answerWith('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc'))
  const received: string[] = []
  await goRound(opened, (chunk, trip) => {
    // Some turns of the loop, in which the tail and the end reach the paused side together.
    const resumeLater = async () => {
      await turns(20)
      trip().resume()
    }
    received.push(chunk.toString())
    if (received.length === 1) opened.service.sockets[0]?.end('tail', () => void resumeLater())
    else void resumeLater()
    return 'pause'
  })
  expect(received.join('')).toBe('abctail')
})

it('reuses a connection after a response whose last octets paused it', async () => {
  const opened = await openConnections(answerOk)
  for (const _ of [1, 2, 3]) await goRound(opened, () => 'pause')
  expect(opened.service.sockets).toHaveLength(1)
})
