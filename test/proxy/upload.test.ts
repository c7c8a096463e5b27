import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { receiveBody, type Upload } from '../../src/proxy/upload.ts'
import { listenForTest } from '../support/listen.ts'
import { until } from '../support/until.ts'

it.each([
  ['part of it has', 20_001, 'client'],
  ['all of it has', 20_000, 'service'],
] as const)(
  'the body waits for the side that is late: %s arrived, and is read',
  async (_what, length, side) => {
    let upload: Upload | undefined
    let octets = 0
    const server = createServer((incoming) =>
      receiveBody(incoming, length, {
        onStream: (stream) => {
          // Reads one piece, as a service whose buffers are full then.
          upload = stream.on('data', () => stream.pause())
        },
        onOctets: (piece) => {
          octets += piece.length
        },
        onBegun: (body) => 'beginSending' in body && body.beginSending(),
        onArrived: () => {},
      }),
    )
    const client = connect(await listenForTest(server))
    client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(20_000)}`)
    await until(
      () => octets === 20_000 && upload?.readableLength === 0 && upload.hasArrived === (side === 'service'),
    )
    expect(upload?.waitsFor).toBe(side)
    client.destroy()
  },
)
