import { expect, it } from 'vitest'
import { networkProbe } from '../../src/probe/network-probe.ts'
import { startRawFrontEnd } from '../support/front-ends/raw-front-end.ts'

it.each([
  [
    'a target and fields unchanged',
    {
      method: 'GET',
      target: '/a%2Fb/%7E//c?q=%41+b',
      fields: ['cookie', 'a=1; b="2"', 'Cookie', 'c=\u00ff'],
      body: undefined,
    },
    [
      'GET /a%2Fb/%7E//c?q=%41+b HTTP/1.1',
      'Host: www.shop.localhost:PORT',
      'User-Agent: continuation-point/1.2.3',
      'Accept-Encoding: identity',
      'cookie: a=1; b="2"',
      'Cookie: c=\u00ff',
      'Connection: close',
      '',
      '',
    ],
  ],
  [
    'a body byte by byte',
    { method: 'PATCH', target: '/', fields: [], body: 'a\r\n\u00ff' },
    [
      'PATCH / HTTP/1.1',
      'Host: www.shop.localhost:PORT',
      'User-Agent: continuation-point/1.2.3',
      'Accept-Encoding: identity',
      'Content-Length: 4',
      'Connection: close',
      '',
      'a',
      '\u00ff',
    ],
  ],
])('sends %s', async (_what, request, lines) => {
  let octets = ''
  const server = await startRawFrontEnd((socket, chunk) => {
    octets += chunk
    if (octets.includes('\r\n\r\n') && (request.body === undefined || octets.endsWith(request.body))) {
      socket.end('HTTP/1.1 200 OK\r\nX-Odd:  a\r\nx-odd: b\r\n\r\nhello')
    }
  })
  try {
    const probe = networkProbe({ version: '1.2.3', overrides: [], trust: undefined })
    const endpoint = { scheme: 'http', host: 'www.shop.localhost', port: server.port } as const
    const reply = await probe.send(endpoint, '127.0.0.1', request)
    expect(octets).toBe(lines.join('\r\n').replace('PORT', String(server.port)))
    expect(reply).toEqual({
      kind: 'response',
      status: 200,
      fields: ['X-Odd', 'a', 'x-odd', 'b'],
      body: 'hello',
    })
  } finally {
    await server.close()
  }
})
