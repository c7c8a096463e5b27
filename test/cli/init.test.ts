import { describe, expect, it } from 'vitest'
import { toFirstConfig } from '../../src/cli/init.ts'
import { run } from '../../src/cli/run.ts'
import { parseConfig } from '../../src/config/parse.ts'
import { fakeIo } from './fake-io.ts'

const COOKIES = 'Set-Cookie: sid=SECRET; HttpOnly; Secure\nSet-Cookie: basket=SECRET; Path=/shop; HttpOnly'

describe('init', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['a page', ['https://www.example.com/some/page?x'], ['https://www.example.com/service_cookie_transfer/']],
    [
      'two sites and a known point',
      ['https://b.example/', 'https://a.example/shop/service_cookie_transfer/'],
      [
        'https://a.example/service_cookie_transfer/',
        'https://a.example/shop/service_cookie_transfer/',
        'https://b.example/service_cookie_transfer/',
      ],
    ],
    ['nothing', [], []],
    [
      'a host with a dot at its end',
      ['https://WWW.Bücher.example./', 'https://www.bücher.example./shop/service_cookie_transfer/'],
      [
        'https://www.xn--bcher-kva.example/service_cookie_transfer/',
        'https://www.xn--bcher-kva.example/shop/service_cookie_transfer/',
      ],
    ],
  ])('makes a config that parses from %s', (_what, urls, points) => {
    const parsed = parseConfig(toFirstConfig(urls, [], 'https://service.example'), 'config.json')
    expect(parsed).toMatchObject({
      config: { points: points.map((url) => ({ url })), service: { url: 'https://service.example' } },
    })
  })

  it('lists cookies by name and scope, and the points that carry them all', async () => {
    const io = fakeIo({ 'cookies.txt': COOKIES })
    expect(
      await run(['init', 'https://www.example.com/', '--from-cookies', 'cookies.txt', '--output', '-'], io),
    ).toBe(0)
    expect(parseConfig(io.written.stdout, 'config.json')).toMatchObject({
      config: {
        points: [
          { url: 'https://www.example.com/service_cookie_transfer/' },
          { url: 'https://www.example.com/shop/service_cookie_transfer/' },
        ],
        pages: [{ url: 'https://www.example.com/' }],
        cookies: [
          { name: 'sid', domain: 'www.example.com', path: '/' },
          { name: 'basket', path: '/shop' },
        ],
      },
    })
    expect(io.written.stdout + io.written.stderr).not.toContain('SECRET')
  })

  it('leaves cookies of other sites out, and says how many', async () => {
    const text = ['example.com', 'ads.example.net', 'example.org']
      .map((host) => `.${host}\tTRUE\t/\tTRUE\t0\tof-${host}\tSECRET`)
      .join('\n')
    const init = async (...urls: readonly string[]) => {
      const io = fakeIo({ 'cookies.txt': text })
      expect(await run(['init', ...urls, '--from-cookies', 'cookies.txt', '--output', '-'], io)).toBe(0)
      return io.written
    }
    const one = await init('https://www.example.com/')
    expect(one.stderr).toBe('2 cookies of other sites than the URLs were left out.\n')
    expect(one.stdout.match(/"of-[^"]+"/g)).toEqual(['"of-example.com"'])
    const two = await init('https://www.example.com/', 'https://example.org./')
    expect(two.stderr).toBe('1 cookie of another site than the URLs was left out.\n')
    expect(two.stdout.match(/"of-[^"]+"/g)).toHaveLength(2)
    const none = await init()
    expect([none.stderr, none.stdout.match(/"of-[^"]+"/g)?.length]).toEqual(['', 3])
  })

  it('writes config.json, and never over an existing one', async () => {
    const written: Record<string, string> = {}
    const io = {
      ...fakeIo(),
      writeFile: async (path: string, text: string) => {
        written[path] = text
      },
    }
    expect(await run(['init', 'https://www.example.com/'], io)).toBe(0)
    expect(io.written.stdout).toContain("Next: put the service's address in and the widget key")
    expect(await run(['init', '--service', 'https://s.example', '--output', 'b.json'], io)).toBe(0)
    expect(io.written.stdout).toContain('Wrote b.json. Next: put the widget key in the variable WIDGET_KEY')
    expect(parseConfig(written['config.json'] ?? '', 'config.json')).toHaveProperty('config')
    const again = fakeIo({ 'config.json': '{}' })
    expect(await run(['init', 'https://www.example.com/'], again)).toBe(2)
    expect(again.written.stderr).toMatch(/config\.json is there already.*--output/)
  })

  it('says why a file can’t be written, and that a service is none', async () => {
    const io = {
      ...fakeIo(),
      writeFile: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' })),
    }
    expect(await run(['init', '--output', 'nowhere/x.json'], io)).toBe(2)
    expect(io.written.stderr).toContain(
      "nowhere/x.json can't be written: its folder does not exist. Name another file",
    )
    const other = fakeIo()
    expect(await run(['init', '--service', 'nonsense', '--output', '-'], other)).toBe(2)
    expect(other.written.stderr).toMatch(/--service "nonsense"/)
  })

  it.each([['www.example.com'], ['ftp://www.example.com/'], ['https://']])('refuses %s', async (url) => {
    const io = fakeIo()
    expect(await run(['init', url], io)).toBe(2)
    expect(io.written.stderr).toContain('no http or https URL')
  })
})

describe('scopes', () => {
  it('prints cookies that a config takes, from a file or standard input', async () => {
    for (const file of ['cookies.txt', '-']) {
      const io = fakeIo({ [file]: COOKIES })
      expect(await run(['scopes', file, '--host', 'www.example.com'], io)).toBe(0)
      expect(parseConfig(io.written.stdout, 'cookies')).toMatchObject({
        config: { cookies: [{ name: 'sid' }, { name: 'basket' }] },
      })
      expect(io.written.stdout).not.toContain('SECRET')
    }
  })

  it.each([
    ['https://www.example.com/', 'www.example.com'],
    ['https://u:p@www.example.com:8443/x?y#z', 'www.example.com'],
    ['www.example.com:8443', 'www.example.com'],
    ['WWW.EXAMPLE.com.', 'www.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['[::1]:8080', '[::1]'],
    ['127.0.0.1', '127.0.0.1'],
  ])('--host %s is the host %s', async (word, host) => {
    const io = fakeIo({ 'cookies.txt': COOKIES })
    expect(await run(['scopes', 'cookies.txt', '--host', word], io)).toBe(0)
    expect(parseConfig(io.written.stdout, 'cookies')).toMatchObject({
      config: { cookies: [{ domain: host }, { domain: host }] },
    })
  })

  it.each(['a b', 'ftp://www.example.com/', 'https://', 'www.*.com', '::1', 'host:port', '.'])(
    '--host %j is none',
    async (word) => {
      const io = fakeIo({ 'cookies.txt': COOKIES })
      expect(await run(['scopes', 'cookies.txt', '--host', word], io)).toBe(2)
      expect(io.written.stdout).toBe('')
      expect(io.written.stderr).toContain('is no host: write it as www.example.com')
    },
  )

  it.each([
    [['scopes'], {}, /FILE/],
    [['scopes', 'absent'], {}, /absent can't be read: it does not exist/],
    [['scopes', 'x'], { x: 'hello' }, /x: This is no HAR/],
  ])('%j exits 2 and says why', async (words, files, message) => {
    const io = fakeIo(files as Record<string, string>)
    expect(await run(words, io)).toBe(2)
    expect(io.written.stderr).toMatch(message)
  })
})
