import { describe, expect, it } from 'vitest'
import { setUpStage } from '../support/stage.ts'

const GET = 'GET /service_cookie_transfer/ HTTP/1.1\r\n'

describe('Host (RFC 9110 section 7.2, RFC 9112 section 3.2)', () => {
  const stage = setUpStage({
    points: [
      'http://www.example.com/service_cookie_transfer/',
      'https://secure.example.com/service_cookie_transfer/',
      'http://both.example.com/service_cookie_transfer/',
      'https://both.example.com/service_cookie_transfer/',
      'http://odd.example.com:8080/service_cookie_transfer/',
      'http://bücher.example/service_cookie_transfer/',
      'http://[2001:db8::1]:8443/service_cookie_transfer/',
      'http://under_score.example.com/service_cookie_transfer/',
    ],
  })

  it.each([
    ['Host: www.example.com', 'http://www.example.com'],
    ['HOST:   WWW.Example.COM\t', 'http://www.example.com'],
    ['host:www.example.com:80', 'http://www.example.com'],
    ['Host: www.example.com:', 'http://www.example.com'],
    ['Host: secure.example.com', 'https://secure.example.com'],
    ['Host: secure.example.com:443', 'https://secure.example.com'],
    ['Host: both.example.com:80', 'http://both.example.com'],
    ['Host: both.example.com:443', 'https://both.example.com'],
    ['Host: odd.example.com:8080', 'http://odd.example.com:8080'],
    ['Host: xn--bcher-kva.example', 'http://xn--bcher-kva.example'],
    ['Host: [2001:DB8::1]:8443', 'http://[2001:db8::1]:8443'],
    ['Host: under_score.example.com', 'http://under_score.example.com'],
  ])('%s belongs to %s', (line, origin) => stage.expectForwarded(`${GET}${line}\r\n\r\n`, { origin }))

  it.each([
    ['no Host', ''],
    ['an empty Host', 'Host:\r\n'],
    ['a Host of white space', 'Host: \t \r\n'],
    ['two Host lines', 'Host: www.example.com\r\nHost: other.example.com\r\n'],
    ['two equal Host lines', 'Host: www.example.com\r\nHost: www.example.com\r\n'],
    ['two Host lines in two cases', 'Host: www.example.com\r\nhOST: www.example.com\r\n'],
    ['a list', 'Host: www.example.com, other.example.com\r\n'],
    ['a URL', 'Host: http://www.example.com\r\n'],
    ['a port of letters', 'Host: www.example.com:http\r\n'],
    ['octets above 0x7F', 'Host: b\xfccher.example\r\n'],
    // What else is no host is in test/http/authority.test.ts.
  ])('%s is refused', (_name, lines) => stage.expectRefused(`${GET}${lines}\r\n`, 400, 'bad-host'))

  it.each([
    ['unknown-authority', 'other.example.com'],
    ['unknown-authority', 'example.com'],
    ['unknown-authority', 'www.example.com.'],
    ['unknown-authority', 'www.example.com:8080'],
    ['unknown-authority', 'www.example.com:443'],
    ['unknown-authority', 'secure.example.com:80'],
    ['unknown-authority', 'odd.example.com'],
    ['unknown-authority', 'www.example.com.other.example'],
    ['unknown-authority', 'notwww.example.com'],
    ['unknown-authority', '127.0.0.1'],
    ['unknown-authority', '[2001:db8:0::1]:8443'],
    ['unknown-authority', 'www%2eexample.com'],
    ['ambiguous-scheme', 'both.example.com'],
  ])('%s: %s is misdirected', (code, host) => stage.expectRefused(`${GET}Host: ${host}\r\n\r\n`, 421, code))

  it.each([
    ['X-Forwarded-Proto: https', 421, 'other-scheme'],
    ['X-Forwarded-Proto: http', 200, undefined],
    ['Forwarded: proto=https', 421, 'other-scheme'],
    ['Forwarded: for=192.0.2.1;proto=http;by=x', 200, undefined],
  ])('%s from a trusted front end decides the scheme', async (line, status, code) => {
    const played = await stage.play(`${GET}Host: www.example.com\r\n${line}\r\n\r\n`)
    expect([played.status, played.code]).toEqual([status, code])
  })

  it.each([
    ['X-Forwarded-Proto: https', 'https://both.example.com'],
    ['X-Forwarded-Proto: http, https', 'https://both.example.com'],
    ['Forwarded: proto=http', 'http://both.example.com'],
    [
      'Forwarded: proto=https;host=both.example.com\r\nX-Forwarded-Host: BOTH.example.com',
      'https://both.example.com',
    ],
    ['X-Forwarded-Proto: https\r\nX-Forwarded-Port: 1234', 'https://both.example.com'],
  ])('%j chooses between the schemes', (lines, origin) =>
    stage.expectForwarded(`${GET}Host: both.example.com\r\n${lines}\r\n\r\n`, { origin }),
  )

  it.each([
    ['X-Forwarded-Host: secure.example.com', 'https://secure.example.com'],
    ['X-Forwarded-Host: Secure.Example.com:443', 'https://secure.example.com'],
    ['X-Forwarded-Host: other.example, secure.example.com', 'https://secure.example.com'],
    ['X-Forwarded-Host: other.example\r\nX-Forwarded-Host: secure.example.com', 'https://secure.example.com'],
  ])('%j of a trusted front end replaces Host', (lines, origin) =>
    stage.expectForwarded(`${GET}Host: inner:8080\r\n${lines}\r\n\r\n`, { origin }),
  )

  it.each([
    'X-Forwarded-Proto: ftp',
    'X-Forwarded-Host: http://www.example.com',
    'X-Forwarded-Proto: http\r\nForwarded: proto=https',
  ])('%j is contradictory and is refused', (lines) =>
    stage.expectRefused(`${GET}Host: www.example.com\r\n${lines}\r\n\r\n`, 400, 'bad-forwarding'),
  )
})

describe('the same fields from a peer that is not trusted', () => {
  const stage = setUpStage({ listen: { trustedProxies: ['192.0.2.0/24'] } })

  it.each([
    'X-Forwarded-Proto: https',
    'X-Forwarded-Proto: gopher',
    'X-Forwarded-Host: other.example',
    'X-Forwarded-Port: 8443',
    'X-Forwarded-Server: inner',
    'Forwarded: proto=https;host=other.example',
    'Forwarded: "',
    'X-Forwarded-Proto: http\r\nForwarded: proto=https',
  ])('%j is ignored and not forwarded', (lines) =>
    stage.expectForwarded(`${GET}Host: www.example.com\r\n${lines}\r\n\r\n`),
  )
})
