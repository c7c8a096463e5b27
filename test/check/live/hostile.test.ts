import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { FORMATS, render } from '../../../src/check/report/formats.ts'
import { withoutColour } from '../../../src/text/paint.ts'
import { flood, startRawFrontEnd } from '../../support/front-ends/raw-front-end.ts'
import { openForTest } from '../../support/open-for-test.ts'
import { prefix } from '../a-config.ts'
import { toReport } from '../report/a-report.ts'
import { liveCheck } from './live-check.ts'

const ESCAPES = '\u001b[31mred\u001b]8;;http://evil.example\u0007 \u009b2J'
const MARKUP = '<script>alert(1)</script><img src=x onerror=alert(1)>'

/** What comes back, or what is done with the connection. */
const answers: Readonly<Record<string, string | Buffer | ((socket: Socket) => void)>> = {
  'no HTTP at all': 'SSH-2.0-OpenSSH_9.2\r\n',
  'binary data': Buffer.from(Array.from({ length: 5000 }, (_, i) => i % 256)),
  'an endless head': (socket) =>
    pour(socket, 'HTTP/1.1 200 OK\r\n', 'X-Filler: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'),
  'an endless body': (socket) => pour(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'a'.repeat(4096)),
  'endless interim responses': (socket) => pour(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  '10,000 Set-Cookie lines': `HTTP/1.1 200 OK\r\n${'Set-Cookie: a=b\r\n'.repeat(10_000)}\r\n`,
  '3,000 Set-Cookie lines': `HTTP/1.1 200 OK\r\n${'Set-Cookie:a\r\n'.repeat(3000)}Content-Length: 0\r\n\r\n`,
  'escapes in every place': answer(`Content-Type: ${ESCAPES}\r\nServer: ${ESCAPES}\r\nAge: 9\r\n`, ESCAPES),
  'markup in every place': answer(`Content-Type: ${MARKUP}\r\nServer: ${MARKUP}\r\n`, MARKUP),
  'a redirect to a private address': redirect('http://169.254.169.254/latest/meta-data/'),
  'a redirect that is not a URL': redirect(`http://[${ESCAPES}`),
  'a redirect to a file': redirect('file:///etc/passwd'),
  'an upgrade': 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  'JSON of the wrong shape': answer(
    '',
    '{"standIn":1,"checks":[{}],"listedUrls":[],"received":{"method":7}}',
  ),
  'very deeply nested JSON': answer('', `{"standIn":${'['.repeat(100_000)}`),
  'a page full of marks': answer('', '<p data-check="origin" data-outcome="'.repeat(20_000)),
  'half a response': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
  'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
}

it.each(Object.entries(answers))('survives %s, and contacts no other host', async (_what, answered) => {
  const script = typeof answered === 'function' ? answered : (socket: Socket) => socket.end(answered)
  const { port } = await openForTest(startRawFrontEnd(script))
  const asked: string[] = []
  const checked = await liveCheck({
    points: [`http://www.shop.localhost:${port}${prefix}`],
    probe: { deadlineMs: 1000 },
    source: { onQuestion: (text) => asked.push(text) },
  })
  const live = checked.findings.filter(({ id }) => id.startsWith('live/'))
  expect(live).toHaveLength(17)
  expect(live.map(({ outcome }) => outcome)).not.toContain('crashed')
  expect(new Set(asked.map((text) => /^[^:]+:[0-9]+/.exec(text)?.[0]))).toEqual(
    new Set([`www.shop.localhost:${port}`]),
  )
  for (const format of FORMATS) {
    const text = render({ ...toReport(checked), mode: 'live' }, format, withoutColour)
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    if (format === 'html') expect(text).not.toMatch(/<script|<img/)
  }
})

function answer(fields: string, body: string): string {
  return `HTTP/1.1 200 OK\r\n${fields}Connection: close\r\n\r\n${body}`
}

function redirect(location: string): string {
  return `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`
}

function pour(socket: Socket, head: string, piece: string): void {
  socket.write(head)
  flood(socket, piece.repeat(16))
}
