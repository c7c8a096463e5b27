import { describe, expect, it } from 'vitest'
import { listenTls, pemOf } from '../support/certificates/certificate.ts'
import { codeOf, setUpStage, statusOf } from '../support/stage.ts'
import { onlyValue } from '../support/wire.ts'

const TLS = { ca: pemOf('authority.cert'), servername: 'localhost' }

describe.each([
  ['trusted', ['loopback']],
  ['not trusted', []],
] as const)('a TLS listener (RFC 9110 section 4.2.2), peer %s', (_peer, trustedProxies) => {
  const stage = setUpStage({
    points: [
      'http://plain.example.com/service_cookie_transfer/',
      'https://www.example.com/service_cookie_transfer/',
      'http://both.example.com/service_cookie_transfer/',
      'https://both.example.com/service_cookie_transfer/',
    ],
    listen: { trustedProxies, tls: listenTls('service') },
  })

  const isTrusted = trustedProxies.length > 0
  const OVER_HTTP = 'X-Forwarded-Proto: http\r\n'

  it.each([
    ['www.example.com', '', 'https://www.example.com'],
    ['www.example.com:443', '', 'https://www.example.com'],
    ['both.example.com', '', 'https://both.example.com'],
    ['plain.example.com', '', 'other-scheme'],
    ['other.example.com', '', 'unknown-authority'],
    ['both.example.com', OVER_HTTP, isTrusted ? 'http://both.example.com' : 'https://both.example.com'],
    ['plain.example.com', OVER_HTTP, isTrusted ? 'http://plain.example.com' : 'other-scheme'],
    ['www.example.com', OVER_HTTP, isTrusted ? 'other-scheme' : 'https://www.example.com'],
  ])('%s %j: %s', async (host, lines, expected) => {
    const client = await stage.ask(
      `GET /service_cookie_transfer/ HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n`,
      TLS,
    )
    const answer = await client.response()
    const seen = stage.upstream.requests.at(-1)
    const origin = seen === undefined ? undefined : onlyValue(seen.fields, 'x-continuation-origin')
    expect(codeOf(answer) ?? origin).toBe(expected)
    expect(statusOf(answer)).toBe(expected.startsWith('http') ? 200 : 421)
  })

  it('closes a connection that does not speak TLS', async () => {
    const client = await stage.ask('GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n')
    await client.ended()
    expect(client.pending()).not.toContain('200')
    const other = await stage.ask(
      'GET /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n',
      TLS,
    )
    expect(statusOf(await other.response())).toBe(200)
  })

  it('a bad chunk is answered here too, and the connection ends', async () => {
    const client = await stage.ask(
      'POST /service_cookie_transfer/ HTTP/1.1\r\nHost: www.example.com\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
      TLS,
    )
    expect(codeOf(await client.response())).toBe('bad-message')
    expect(await client.ended()).toBe('end')
  })
})
