import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { endResponse, writeHead } from '../../../src/proxy/internals/reserved-response.ts'

// On each line of Node: another release may keep the fields of a framework, or a head that is not sent, elsewhere.
it.each([
  [['Content-Length', '4'], 'caf\xe9'],
  [['Transfer-Encoding', 'chunked'], '4\r\ncaf\xe9\r\n0\r\n\r\n'],
] as const)(
  'a response goes out octet by octet as it was given, its body with its head: %j',
  (field, body) => {
    const writes: string[] = []
    // A response uses only the stream methods of its socket.
    const socket = new Duplex({
      decodeStrings: false,
      write: (chunk: Buffer | string, encoding: BufferEncoding, callback) => {
        writes.push(Buffer.from(chunk as string, encoding).toString('latin1'))
        callback()
      },
    }) as Duplex as Socket
    const incoming = new IncomingMessage(socket)
    incoming.httpVersionMajor = 1
    incoming.httpVersionMinor = 1
    const outgoing = new ServerResponse(incoming)
    outgoing.assignSocket(socket)
    // As a framework does. Even after the field is removed, what is left changes how Node writes a field list.
    outgoing.setHeader('X-Site', 'yes')
    outgoing.setHeader('Set-Cookie', 'site=1')
    outgoing.removeHeader('X-Site')
    const fields = [
      ['set-cookie', 'a=1'],
      ['X-Octets', 'caf\xe9'],
      ['Set-Cookie', 'b=2'],
      ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
      field,
    ]
    writeHead(outgoing, 200, 'D\xe9j\xe0 vu', fields.flat())
    endResponse(outgoing, Buffer.from('caf\xe9', 'latin1'))
    const lines = fields.map((line) => line.join(': ')).join('\r\n')
    expect(writes[0]).toContain(body.slice(0, 4))
    expect(writes.join('')).toBe(
      `HTTP/1.1 200 D\xe9j\xe0 vu\r\n${lines}\r\nConnection: keep-alive\r\n\r\n${body}`,
    )
  },
)
