import { describe, expect, it } from 'vitest'
import { answerWith } from '../support/recording-upstream.ts'
import { itExpects } from './fault.ts'
import { answerInPieces, cutEverywhere } from './pieces.ts'
import { expectHealthy, get, openScene } from './scene.ts'

const OK = 'HTTP/1.1 200 Fine\r\nContent-Length: 2\r\nCache-Control: no-store\r\nDate: now\r\n\r\nab'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'
const PROCESSING = 'HTTP/1.1 102 Processing\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\nSet-Cookie: early=1\r\n\r\n'

const UPGRADED = 'HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\ntunnel'

const IGNORED: readonly (readonly [string, string])[] = [
  ['100', CONTINUE],
  ['100 without a reason', 'HTTP/1.1 100\r\n\r\n'],
  ['100 of HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\n'],
  ['100 twice', CONTINUE + CONTINUE],
  ['100 with framing fields', 'HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\n'],
  ['102', PROCESSING],
  ['102 that says close', 'HTTP/1.1 102 Processing\r\nConnection: close\r\n\r\n'],
  ['103 with a cookie', HINTS],
  ['an unknown 199', 'HTTP/1.1 199 Whatever\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['100, 102 and 103', CONTINUE + PROCESSING + HINTS],
  ['ten of them', PROCESSING.repeat(10)],
]

describe('informational heads are not relayed', () => {
  it.each(IGNORED)('%s, in one piece with the response', async (_name, informational) => {
    const scene = await openScene(answerWith(informational + OK))
    const client = await scene.ask(get())
    await client.received('\r\n\r\nab')
    expect(client.pending()).toBe(relayed())
    await client.response()
    await expectHealthy(scene, client)
    expect(scene.upstream.sockets).toHaveLength(1)
  })

  it.each(IGNORED)('%s, octet by octet', async (_name, informational) => {
    const scene = await openScene(answerInPieces([...(informational + OK)]))
    const client = await scene.ask(get())
    await client.received('\r\n\r\nab')
    expect(client.pending()).toBe(relayed())
  })

  it('two heads and the response, cut in two at every place', async () => {
    const cuts = cutEverywhere(CONTINUE + HINTS + OK)
    const scene = await openScene((request, socket) =>
      answerInPieces(cuts[request.turn] ?? [])(request, socket),
    )
    const client = await scene.ask('')
    for (const cut of cuts) {
      client.write(get())
      await client.received('\r\n\r\nab')
      expect(client.pending(), JSON.stringify(cut)).toBe(relayed())
      await client.response()
    }
    // A connection rests after 256 requests without a pause; a request that comes meanwhile gets another one.
    expect(scene.upstream.sockets.length).toBeLessThanOrEqual(1 + cuts.length / 256)
  })
})

describe('other heads before the response are a 502', () => {
  itExpects({ status: 502, code: 'upstream-malformed' }, [
    ['100 with a body that it can’t have', `HTTP/1.1 100 Continue\r\nContent-Length: 2\r\n\r\nab${OK}`],
    ['eleven of them', PROCESSING.repeat(11) + OK],
  ])
  itExpects({ status: 502, code: 'upstream-head-too-large' }, [
    ['one that never ends', `HTTP/1.1 103 Early Hints\r\nLink: ${'x'.repeat(70_000)}`],
  ])
  itExpects({ status: 502, code: 'upstream-upgrade' }, [
    ['101 with Upgrade', UPGRADED],
    ['101 without Upgrade, and a response', `HTTP/1.1 101 Switching\r\n\r\n${OK}`],
    ['101 after 100', `${CONTINUE}HTTP/1.1 101 Switching\r\n\r\n`],
  ])
  const request = get({ lines: 'Connection: upgrade\r\nUpgrade: websocket\r\n' })
  itExpects({ request, status: 502, code: 'upstream-upgrade' }, [
    ['101 with Upgrade, requested by the client', UPGRADED],
  ])
})

function relayed(): string {
  return OK.replace('\r\n\r\nab', '\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75\r\n\r\nab')
}
