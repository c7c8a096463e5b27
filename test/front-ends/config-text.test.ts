import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteDecodedRegex, quoteNginx, quoteRegex } from '../../src/front-ends/config-text.ts'
import { openForTest } from '../support/open-for-test.ts'
import { freePort, servers, skips, startServer } from './support/real-server.ts'

const ascii = fc.string({ unit: fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)) })

describe('quoteRegex', () => {
  it('gives a pattern that matches the text and nothing else', () => {
    fc.assert(
      fc.property(ascii, ascii, (text, other) => {
        const pattern = new RegExp(`^(?:${quoteRegex(text)})$`)
        expect(pattern.test(text)).toBe(true)
        expect(pattern.test(other)).toBe(other === text)
      }),
    )
  })

  it('leaves nothing that has a meaning in a configuration syntax', () => {
    fc.assert(
      fc.property(ascii, (text) => {
        expect(quoteRegex(text)).toMatch(/^(?:[A-Za-z0-9/:_-]|\\\.|\\x[0-9a-f]{2})*$/)
      }),
    )
  })
})

it.each([
  ['/caf%C3%A9/', '/caf\\xc3\\xa9/'],
  ['/%24/', '/\\x24/'],
  ['/%zz/', '/\\x25zz/'],
  ['/%25/', '/\\x25/'],
  ['/a.b/', '/a\\.b/'],
])('quoteDecodedRegex: %s is matched as %s', (path, pattern) => {
  expect(quoteDecodedRegex(path)).toBe(pattern)
})

const texts = [
  ...['/shop/service_cookie_transfer/', 'https://www.example.com:8443', 'a-b_c.d', '~^/shop', 'ümlaut', ''],
  ...['a b', 'a;b', 'a{b}', 'a#b', "it's", 'say "hi"', '""', String.raw`C:\temp\new`, 'ends with \\', '\\"'],
]

describe('a word of an nginx config', () => {
  it('is quoted where it needs to be', () => {
    expect(texts.slice(0, 4).map(quoteNginx)).toEqual([...texts.slice(0, 3), '"~^/shop"'])
  })

  const nginx = servers.find(({ name }) => name === 'nginx')
  it.skipIf(nginx === undefined || skips(nginx))('is read by nginx as it was meant', async () => {
    if (nginx === undefined) throw new Error('It is not known')
    const port = await freePort()
    const locations = texts.map(
      (text, index) => `location = /${index} { default_type text/plain; return 200 ${quoteNginx(text)}; }`,
    )
    const config = `events {}\nhttp { access_log off; server { listen 127.0.0.1:${port}; ${locations.join('\n')} } }`
    await openForTest(startServer(nginx, config, port))
    const read = texts.map(async (_text, index) => (await fetch(`http://127.0.0.1:${port}/${index}`)).text())
    expect(await Promise.all(read)).toEqual(texts)
  })
})
