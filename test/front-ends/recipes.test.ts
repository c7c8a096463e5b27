import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { top } from '../project/source-tree.ts'
import { askOnce } from '../support/raw-client.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { valuesOf } from '../support/wire.ts'
import { skipsVarnish, startVarnish } from './support/varnish.ts'

const recipes = join(top, 'deploy/recipes')
const examples = readdirSync(recipes, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(recipes, name)).map((file) => `${name}/${file}`))

describe.each(examples)('%s', (file) => {
  const text = readFileSync(join(recipes, file), 'utf8')

  it('marks each line that belongs to the example', () => {
    const isComment = /^\s*(?:#|\/\/|<!--)|^ {2}\S/
    const unmarked = text
      .slice(text.search(/\n(?![#/]|vcl|<!--)/))
      .split('\n')
      .filter((line) => /example\.(?:com|net)|service_cookie_transfer|127\.0\.0\.1:?\d*["/]/.test(line))
      .filter((line) => !line.includes('CHANGE') && !isComment.test(line))
    expect(unmarked).toEqual([])
    expect(text).toContain('CHANGE')
  })
})

it('web.config is XML', () => {
  const parse = 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])'
  execFileSync('python3', ['-c', parse, join(recipes, 'iis/web.config')])
})

const cookies = Array.from({ length: 12 }, (_, i) => `Set-Cookie: c${i}=${'x'.repeat(4_000)}\r\n`).join('')

/** What the service answers, by the last word of the path. */
const answers: Readonly<Record<string, string>> = {
  large: `HTTP/1.1 200 OK\r\n${cookies}Content-Length: 0\r\n\r\n`,
}
const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\nok'
const ROOT = '/service_cookie_transfer/'

describe.skipIf(skipsVarnish)('the example for Varnish, as it is but for the port of serve', () => {
  let upstream: RecordingUpstream
  let varnish: Awaited<ReturnType<typeof startVarnish>>

  beforeAll(async () => {
    upstream = await startUpstream(({ startLine }, socket) => {
      const [, word = ''] = /cookie_transfer\/(\S*)/.exec(startLine) ?? []
      socket.write(Buffer.from(answers[word] ?? PLAIN, 'latin1'))
    })
    varnish = await startVarnish(upstream.origin, () => `https://www.example.com${ROOT}`)
  }, 60_000)
  afterAll(async () => {
    await varnish?.close()
    await upstream?.close()
  })

  async function ask(path: string, lines = '', host = 'www.example.com') {
    const before = upstream.requests.length
    const answer = await askOnce(varnish.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n`)
    return { answer, seen: upstream.requests.slice(before) }
  }

  it('sends the point to serve, which sends it to the service', async () => {
    const { answer, seen } = await ask(`${ROOT}a%2Fb?q`, 'Cookie: a=1\r\n')
    expect(valuesOf(answer, 'set-cookie')).toEqual(['a=1', 'b=2'])
    expect(seen.map(({ startLine }) => startLine)).toEqual([`GET ${ROOT}a%2Fb?q HTTP/1.1`])
    expect(seen.map((each) => valuesOf(each, 'x-continuation-origin'))).toEqual([['https://www.example.com']])
  })

  it.each([
    ['another path', '/service_cookie_transferred/', 'www.example.com'],
    ['another host', ROOT, 'evil.example'],
  ])('does not send %s there', async (_what, path, host) => {
    const { answer, seen } = await ask(path, '', host)
    // The site of the example is not there.
    expect(answer.startLine).toContain(' 503 ')
    expect(seen).toEqual([])
  })

  it('takes large heads, of requests and responses', async () => {
    const cookie = `a=${'x'.repeat(60 * 1024)}`
    const { answer, seen } = await ask(`${ROOT}large`, `Cookie: ${cookie}\r\n`)
    expect(seen.map((each) => valuesOf(each, 'cookie'))).toEqual([[cookie]])
    expect(valuesOf(answer, 'set-cookie')).toHaveLength(12)
  })
})
