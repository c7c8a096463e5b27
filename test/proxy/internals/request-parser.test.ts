import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { ParserWatch } from '../../../src/proxy/internals/request-parser.ts'
import { listenForTest } from '../../support/listen.ts'
import { until } from '../../support/until.ts'

class Counting extends ParserWatch {
  readonly mostLines = 100
  pieces = 0
  onHeld(): void {}
  onComplete(): void {}
  onTooMany(): void {}
  mayTakePieces(): boolean {
    return true
  }
  onPieces(count: number): void {
    this.pieces += count
  }
}

/** A server that watches its connections, and a client of it. */
async function openWatched() {
  const watches: Counting[] = []
  const server = createServer().on('connection', (socket) => {
    const watch = new Counting(socket)
    watch.start()
    watches.push(watch)
  })
  const client = connect(await listenForTest(server), '127.0.0.1').setNoDelay()
  onTestFinished(() => void client.destroy())
  await until(() => watches.length > 0)
  return { client, watch: watches[0] as Counting }
}

// Memory ran out: 300 clients sent 64 KiB each in records of one octet, some 1,100 of which a paused socket kept.
it('a connection that is parsed no further keeps nothing of what still comes, as records of TLS do while it is paused', async () => {
  const { watch } = await openWatched()
  watch.stop()
  watch.socket.pause()
  watch.socket.push(Buffer.from('x'))
  expect(watch.socket.readableLength).toBe(0)
  expect(watch.pieces).toBe(4)
  watch.socket.push(null)
  await once(watch.socket.resume(), 'end')
})

// With TLS each record is a read; here a read is awaited before the next octet.
it.each([
  ['a head', 'GET / HTTP/1.1\r\nX-A: '],
  ['empty lines', '\r\n'],
])(
  'reads of one octet within %s count as four small pieces each, after the first 16',
  async (_what, begin) => {
    const { client, watch } = await openWatched()
    const octets = begin === '\r\n' ? [...begin.repeat(15)] : [begin, ...'x'.repeat(29)]
    let sent = 0
    for (const octet of octets) {
      client.write(octet)
      sent += octet.length
      await until(() => watch.socket.bytesRead === sent)
    }
    expect(watch.pieces).toBe(4 * (30 - 16))
  },
)
