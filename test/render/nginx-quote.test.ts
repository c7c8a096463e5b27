import { describe, expect, it } from 'vitest'
import { quoteNginx } from '../../src/render/nginx-quote.ts'
import { freePort, servers, skips, startServer } from './support/real-server.ts'

const rows: readonly (readonly [text: string, quoted: string])[] = [
  ['/shop/service_cookie_transfer/', '/shop/service_cookie_transfer/'],
  ['https://www.example.com:8443', 'https://www.example.com:8443'],
  ['a-b_c.d', 'a-b_c.d'],
  ['a b', '"a b"'],
  ['a;b', '"a;b"'],
  ['a{b}', '"a{b}"'],
  ['a#b', '"a#b"'],
  ["it's", `"it's"`],
  ['say "hi"', String.raw`"say \"hi\""`],
  ['""', String.raw`"\"\""`],
  [String.raw`C:\temp\new`, String.raw`"C:\\temp\\new"`],
  [String.raw`ends with \ `.trim(), String.raw`"ends with \\"`],
  [String.raw`\"`, String.raw`"\\\""`],
  ['~^/shop', '"~^/shop"'],
  ['ümlaut', '"ümlaut"'],
]

describe('a word of an nginx config', () => {
  it.each(rows)('%j is written as %s', (text, quoted) => {
    expect(quoteNginx(text)).toBe(quoted)
  })

  it('is quoted when it is empty', () => {
    expect(quoteNginx('')).toBe('""')
  })

  const nginx = servers.find(({ name }) => name === 'nginx')
  it.skipIf(nginx === undefined || skips(nginx))('is read by nginx as it was meant', async () => {
    if (nginx === undefined) throw new Error('It is not known')
    const port = await freePort()
    const locations = rows.map(
      ([text], index) => `location = /${index} { default_type text/plain; return 200 ${quoteNginx(text)}; }`,
    )
    const text = `events {}\nhttp { access_log off; server { listen 127.0.0.1:${port}; ${locations.join('\n')} } }`
    const server = await startServer(nginx, text, port)
    try {
      const read = rows.map(async (_row, index) => (await fetch(`http://127.0.0.1:${port}/${index}`)).text())
      expect(await Promise.all(read)).toEqual(rows.map(([each]) => each))
    } finally {
      await server.close()
    }
  })
})
