import { describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import type { Config } from '../../src/config/config.ts'
import { parseConfig } from '../../src/config/parse.ts'
import { toFirstConfig } from '../../src/setup/first-config.ts'
import { startStub } from '../api/support/stub-service.ts'
import { fakeIo, runCommand, writableIo } from './fake-io.ts'

const COOKIES = 'Set-Cookie: sid=SECRET; HttpOnly; Secure\nSet-Cookie: basket=SECRET; Path=/shop; HttpOnly'

describe('init', () => {
  it('takes a service without its scheme', async () => {
    const io = fakeIo()
    await run(['init', 'https://www.example.com/', '--service', 's.example', '--output', '-'], io)
    expect(io.written.stdout).toContain('"service": { "url": "https://s.example" }')
  })

  it.each<[string, readonly string[], readonly string[]]>([
    ['a page', ['https://www.example.com/some/page?x'], ['https://www.example.com/service_cookie_transfer/']],
    [
      'two sites and a known point',
      ['https://b.example/', 'https://a.example/shop/service_cookie_transfer/'],
      ['a.example', 'a.example/shop', 'b.example'].map(
        (place) => `https://${place}/service_cookie_transfer/`,
      ),
    ],
    ['nothing', [], []],
    [
      'a host with a dot at its end',
      ['https://WWW.Bücher.example./', 'https://www.bücher.example./shop/service_cookie_transfer/'],
      ['', '/shop'].map((path) => `https://www.xn--bcher-kva.example${path}/service_cookie_transfer/`),
    ],
  ])('makes a config that parses from %s', async (_what, urls, points) => {
    const io = fakeIo()
    expect(await run(['init', ...urls, '--service', 'https://service.example', '--output', '-'], io)).toBe(0)
    expect(parseConfig(io.written.stdout, 'config.json')).toMatchObject({
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

  it.each([
    [
      'a HAR file',
      JSON.stringify({
        log: {
          entries: [
            {
              request: { url: 'https://www.example.com/' },
              response: { headers: [{ name: 'Set-Cookie', value: 'sid=SECRET; HttpOnly; Secure' }] },
            },
          ],
        },
      }),
    ],
    ['a cookies.txt', '#HttpOnly_www.example.com\tFALSE\t/\tTRUE\t0\tsid\tSECRET'],
    ...['Cookie-Editor', 'EditThisCookie'].map((editor) => [
      `the JSON of ${editor}`,
      JSON.stringify([
        {
          name: 'sid',
          value: 'SECRET',
          domain: 'www.example.com',
          hostOnly: true,
          path: '/',
          httpOnly: true,
          secure: true,
        },
      ]),
    ]),
  ])('makes a config without a finding from %s', async (_what, text = '') => {
    const io = writableIo({ export: text })
    expect(await run(['init', 'https://www.example.com/', '--from-cookies', 'export'], io)).toBe(0)
    const checked = fakeIo(io.disk)
    expect(await run(['check', '--offline'], checked)).toBe(0)
    expect(checked.written.stdout).toContain('Cookies: 1 sent\nno findings;')
    expect(io.disk['config.json']).not.toContain('SECRET')
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
    expect(one.stderr).toBe('2 cookies of other sites were left out.\n')
    expect(one.stdout.match(/"of-[^"]+"/g)).toEqual(['"of-example.com"'])
    const two = await init('https://www.example.com/', 'https://example.org./')
    expect(two.stderr).toBe('1 cookie of another site was left out.\n')
    expect(two.stdout.match(/"of-[^"]+"/g)).toHaveLength(2)
    const none = await init()
    expect([none.stderr, none.stdout.match(/"of-[^"]+"/g)?.length]).toEqual(['', 3])
  })

  it('writes config.json, and replaces an existing one only with --force', async () => {
    const disk: Record<string, string> = {}
    const io = writableIo(disk)
    expect(await run(['init', 'https://www.example.com/'], io)).toBe(0)
    expect(io.written.stdout).toBe(`Wrote config.json: 1 point, 0 cookies.
Add the cookies to transfer: continuation-point scopes --help explains how to get them.
Next: put the service's address into config.json, and the widget key into the variable WIDGET_KEY. Then:

  continuation-point render nginx --output /etc/nginx
  continuation-point serve
  continuation-point check

Your account at the service has to list the same points and cookies: continuation-point settings apply
writes them, once "apiKey" is in config.json.
Both keys are in the integration panel, below the widget code.
Without the REST key, continuation-point settings sheet says what to type in the dashboard.
`)
    expect(await run(['init', 'https://b.example/'], io)).toBe(2)
    expect(io.written.stderr).toMatch(/config\.json exists already.*--output.*--force/)
    expect(disk['config.json']).toContain('www.example.com')
    expect(await run(['init', 'https://b.example/', '--force'], io)).toBe(0)
    expect(disk['config.json']).toContain('https://b.example/')
  })

  it.each([
    [['--front-end', 'caddy', '--output', 'b.json'], 'render caddy --config b.json --output /etc/caddy'],
    [['--front-end', 'haproxy', '--output', "it's b.json"], "serve --config 'it'\\''s b.json'"],
    [['--output', 'b.json'], 'settings apply --config b.json\nwrites them, once "apiKey" is in b.json.\n'],
    [['--front-end', 'node'], 'const points = await openPoints("config.json", { env: process.env })'],
    [['--front-end', 'traefik'], 'continuation-point render traefik\n  continuation-point serve\n'],
    [['--service', 'https://s.example'], 'Next: put the widget key into the variable WIDGET_KEY. Then:'],
  ])('names the commands that come next with %j', async (flags, line) => {
    const { code, stdout } = await runCommand(['init', 'https://www.example.com/', ...flags], writableIo({}))
    expect([code, stdout]).toEqual([0, expect.stringContaining(line)])
  })

  it('says so if no config can list all cookies of an export', async () => {
    const line = (index: number) => `Set-Cookie: n${index}=SECRET; Path=/${'p'.repeat(900)}; HttpOnly`
    const many = Array.from({ length: 4600 }, (_, index) => line(index)).join('\n')
    const io = fakeIo({ 'cookies.txt': many })
    expect(await run(['init', 'https://www.example.com/', '--from-cookies', 'cookies.txt'], io)).toBe(2)
    expect(io.written.stderr).toMatch(/4600 cookies .* too large/)
  })

  it('says what a config without a site lacks', async () => {
    const io = writableIo({})
    expect(await run(['init'], io)).toBe(0)
    expect(io.written.stdout).toContain(
      "Next: put the URLs of a point and of its page and the service's address into config.json, and the widget key into the variable WIDGET_KEY. Then:",
    )
  })

  it('calls itself as it was called', async () => {
    const io = { ...writableIo({}), program: 'npx continuation-point' } as const
    expect(await run(['init', 'https://www.example.com/'], io)).toBe(0)
    expect(io.written.stdout).toContain('\n  npx continuation-point serve\n')
  })

  describe('at a terminal', () => {
    const answered = (...lines: readonly string[]) => {
      const asked: string[] = []
      const io = {
        ...writableIo({}),
        ask: async (question: string) => {
          asked.push(question)
          return lines[asked.length - 1] ?? ''
        },
      }
      return { asked, io }
    }

    it('asks for the site, its other pages, the service, the front end and the cookies', async () => {
      const { asked, io } = answered(
        'www.example.com',
        'pay.example.com,http://www.shop.localhost:8080',
        's.example',
        'caddy',
      )
      expect(await run(['init'], io)).toBe(0)
      expect(asked).toHaveLength(5)
      const parsed = parseConfig(io.disk['config.json'] ?? '', 'config.json')
      expect(parsed).toMatchObject({
        config: {
          service: { url: 'https://s.example' },
          pages: [
            'https://www.example.com/',
            'https://pay.example.com/',
            'http://www.shop.localhost:8080/',
          ].map((url) => ({
            url,
          })),
          frontEnd: 'caddy',
        },
      })
      expect(io.written.stdout).toContain('render caddy')
    })

    it('asks again after an invalid answer, and uses the default for an empty one', async () => {
      const { asked, io } = answered(
        '',
        'ftp://x/',
        'www.example.com',
        '',
        'https://s.example/path',
        '',
        'iss',
        '',
      )
      expect(await run(['init'], io)).toBe(0)
      expect(asked).toHaveLength(9)
      expect(io.written.stderr).toBe(`its address is needed
"ftp://x/" is not an http or https URL
"https://s.example/path": it has a path
choose one of these
`)
      expect(io.written.stdout).toContain("put the service's address into config.json")
      expect(io.written.stdout).toContain('render nginx')
    })

    const BOTH = [
      ['sid', '/'],
      ['basket', '/shop'],
    ]

    it.each<[string, string, string[][]]>([
      ['names by hand', 'sid, basket:/shop', BOTH],
      ['a file', 'cookies.txt', BOTH],
      ['a file at home', '~/cookies.txt', BOTH],
      ['names with semicolons', 'sid; basket:/shop', BOTH],
      [
        'a pasted Cookie line',
        'Cookie: sid=/SECRET; cart={"SECRET": 1, "b": 2}',
        [
          ['cart', '/'],
          ['sid', '/'],
        ],
      ],
      ['a name that only Secure allows', '__Host-sid', [['__Host-sid', '/']]],
      ['a pasted Set-Cookie line', 'basket=SECRET; Path=/shop; HttpOnly', [['basket', '/shop']]],
      ['nothing', '', []],
      ['no', 'No', []],
      ['none', 'none', []],
    ])('takes the cookies from %s', async (_what, answer, cookies) => {
      const { io } = answered('', '', answer)
      io.disk['cookies.txt'] = COOKIES
      io.disk['/home/robin/cookies.txt'] = COOKIES
      expect(await run(['init', 'https://www.example.com/'], { ...io, env: { HOME: '/home/robin' } })).toBe(0)
      const parsed = parseConfig(io.disk['config.json'] ?? '', 'config.json')
      expect('config' in parsed && parsed.config.cookies).toMatchObject(
        cookies.map(([name, path]) => ({ name, path, domain: 'www.example.com', httponly: true })),
      )
      expect(io.disk['config.json']).not.toContain('SECRET')
    })

    it('asks for the cookies again if they can’t be read, and says why', async () => {
      const { asked, io } = answered('', '', 'cookies.har', 'sid')
      expect(await run(['init', 'https://www.example.com/'], io)).toBe(0)
      expect(asked).toHaveLength(4)
      expect(io.written.stderr).toMatch(/^cookies\.har can't be read: .+\n$/)
    })

    it('says nothing of Secure about cookies by hand', async () => {
      const { io } = answered('', '', 'sid')
      expect(await run(['init', 'https://www.example.com/'], io)).toBe(0)
      expect(io.disk['config.json']).toContain('"httponly": true }')
    })

    it('asks again after a yes, with an example, and takes a no for nothing', async () => {
      const { asked, io } = answered(
        ...['y', 'www.example.com'],
        ...['yes', 'none'],
        ...['Y', 'no'],
        'none',
        'Caddy',
        ...['yes', 'which ones?', 'sid'],
      )
      expect(await run(['init'], io)).toBe(0)
      expect(asked).toHaveLength(11)
      expect(io.written.stderr).toBe(`write it here, such as https://www.example.com/
write it here, such as https://pay.example.com/
write it here, such as https://cobrowse.example.net
choose one of these
write it here, such as sid basket:/shop
"ones?" is neither a file nor the name of a cookie
`)
      expect(parseConfig(io.disk['config.json'] ?? '', 'config.json')).toMatchObject({
        config: { pages: [{ url: 'https://www.example.com/' }], cookies: [{ name: 'sid' }] },
      })
    })

    it('asks again until the input ends, and writes nothing then', async () => {
      const { io } = answered()
      let turns = 4
      const ask = async () => {
        turns -= 1
        return turns < 0 ? undefined : ''
      }
      expect(await run(['init'], { ...io, ask })).toBe(2)
      expect([io.disk, io.written.stderr]).toEqual([
        {},
        `${'its address is needed\n'.repeat(4)}continuation-point: nothing was written: the input ended before the last answer\n`,
      ])
    })

    it('asks again for what no config can have, and says what is wrong', async () => {
      const { asked, io } = answered(
        ...['co.uk', 'www..example.com', '*.example.com', 'www.example.com'],
        ...['com', 'pay.example.com'],
        ...['www.example.com', 'http://s.example', 's.example'],
      )
      expect(await run(['init'], io)).toBe(0)
      expect(asked).toHaveLength(11)
      expect(io.written.stderr.split('\n')).toEqual([
        'https://co.uk/service_cookie_transfer/: co.uk is a public suffix, not a site.',
        expect.stringMatching(/^https:\/\/www\.\.example\.com\/.*: its host is not a name that DNS allows/),
        expect.stringMatching(/^https:\/\/\*\.example\.com\/.*: it has a wildcard/),
        'https://com/service_cookie_transfer/: com is a public suffix, not a site.',
        expect.stringMatching(/^service\.url: The service and the point .* the proxy would call itself\.$/),
        'service.url: Cookies and the widget key would travel to the service unencrypted.',
        '',
      ])
      expect(parseConfig(io.disk['config.json'] ?? '', 'config.json')).toMatchObject({
        config: {
          service: { url: 'https://s.example' },
          pages: [{ url: 'https://www.example.com/' }, { url: 'https://pay.example.com/' }],
        },
      })
    })

    it('asks nothing if the arguments are wrong already', async () => {
      const { asked, io } = answered()
      expect(await run(['init', 'https://*.example.com/'], io)).toBe(2)
      expect(asked).toEqual([])
      expect(io.written.stderr).toMatch(
        /^continuation-point: https:\/\/\*.+wildcard.+\ncontinuation-point: https:\/\/\*.+wildcard.+\n$/,
      )
    })

    it('asks for what no argument gives, and with --yes for nothing', async () => {
      const told = answered('', '')
      expect(await run(['init', 'https://www.example.com/'], told.io)).toBe(0)
      expect(told.asked.map((question) => question.split(' ')[0])).toEqual(['Address', 'What', 'Cookies'])
      const yes = answered()
      expect(await run(['init', 'https://www.example.com/', '--yes'], yes.io)).toBe(0)
      expect(yes.asked).toEqual([])
    })
  })

  describe('from the account', () => {
    it('keeps its points as they are, and its back-transfer', () => {
      const url = 'https://www.example.com/shop/service_cookie_transfer/'
      const made = toFirstConfig({
        pages: ['https://www.example.com/'],
        points: [{ url, widgetKey: 'env:WIDGET_KEY' }],
        scopes: [{ name: 'sid', domain: 'www.example.com', path: '/', httponly: true }],
        serviceUrl: 'https://cobrowse.example.com',
        prefix: '/service_cookie_transfer/',
        account: { backTransfer: true },
        hasRestKey: true,
      })
      const text = typeof made === 'string' ? made : made.text
      expect(parseConfig(text, 'config.json')).toMatchObject({
        config: {
          points: [{ url }],
          cookies: [{ name: 'sid' }],
          backTransfer: true,
          apiKey: { name: 'API_KEY' },
        },
      })
    })

    it('takes points from the domains of a reseller’s clients, and says what it leaves out', async () => {
      const client = { client_key: 'c', rest_key: 'rest-key' }
      const { baseUrl } = await startStub({
        body: [
          { ...client, company_name: 'One', domains: 'one.example, *.one.example', widget_key: 'key-1' },
          {
            ...client,
            company_name: 'Two',
            domains: 'two.example:x,ONE.example,two.example',
            widget_key: 'key-2',
          },
          { ...client, company_name: 'Three', domains: 'three.example' },
          { ...client, company_name: 'Four', domains: 'four.example', widget_key: 'file:/etc/passwd' },
        ],
      })
      const io = { ...writableIo({}), env: { API_KEY: 'reseller-key' } }
      const words = ['--from-clients', '--service', baseUrl.replace('/v2', ''), '--output', '-']
      expect(await run(['init', ...words], io)).toBe(0)
      const { stdout, stderr } = io.written
      expect(stderr.split('\n').map((line) => line.replace(/ is left out: .*/, ''))).toEqual([
        '"*.one.example" of One',
        '"two.example:x" of Two',
        '"ONE.example" of Two',
        '"three.example" of Three',
        '"four.example" of Four',
        '',
      ])
      expect(stdout).not.toMatch(/passwd|rest-key|reseller-key|"env:WIDGET_KEY"/)
      const { config } = parseConfig(stdout, 'config.json') as { config: Config }
      expect(config.points.map(({ url, widgetKey }) => [url, widgetKey?.kind])).toEqual([
        ['https://one.example/service_cookie_transfer/', 'literal'],
        ['https://two.example/service_cookie_transfer/', 'literal'],
      ])
      expect(config.apiKey).toMatchObject({ kind: 'env', name: 'API_KEY' })
    })

    const fromStub = async (flag: string, body: object) => {
      const { baseUrl } = await startStub({ body })
      const io = { ...writableIo({}), env: { API_KEY: 'key' } }
      const words = [flag, '--service', baseUrl.replace('/v2', ''), '--output', '-']
      expect([await run(['init', ...words], io), io.written.stderr]).toEqual([0, expect.any(String)])
      const { config } = parseConfig(io.written.stdout, 'config.json') as { config: Config }
      return { config, notes: io.written.stderr.split('\n').slice(0, -1) }
    }
    const goodPoint = 'https://www.good.example/service_cookie_transfer/'

    it.each([
      ['com', 'https://com/service_cookie_transfer/', /public suffix/],
      ['trail.example.', '"trail.example." of Odd', /its host ends in a dot/],
      ['http://e.example', '"http://e.example" of Odd', /it is not a host/],
      ['1', '"1" of Odd', /it is not a host/],
      [null, 'Odd', /it has no domain/],
      [' , ', 'Odd', /it has no domain/],
    ])('of clients leaves out the domain %j alone', async (domains, what, why) => {
      const client = { client_key: 'c', rest_key: 'r', company_plan_name: null }
      const { config, notes } = await fromStub('--from-clients', [
        { ...client, company_name: 'Odd', domains, widget_key: 'odd-key' },
        { ...client, company_name: 'Good', domains: 'www.good.example', widget_key: 'good-key' },
      ])
      expect(config.points.map(({ url, plan }) => [url, plan])).toEqual([[goodPoint, undefined]])
      expect(config.pages.map(({ url }) => url)).toEqual(['https://www.good.example/'])
      expect(notes).toEqual([expect.stringMatching(`^${what}`)])
      expect(notes[0]).toMatch(why)
    })

    it.each([
      ['https://com/service_cookie_transfer/', /public suffix/],
      ['https://www.odd.example./service_cookie_transfer/', /its host ends in a dot/],
      ['https://127.0.0.1/service_cookie_transfer/?x', /it has a query/],
      ['www.odd.example', /is not an absolute/],
      ['http://*.odd.example/service_cookie_transfer/', /wildcard/],
    ])('of an account leaves out the point %j alone', async (url, why) => {
      const { config, notes } = await fromStub('--from-account', {
        cookie_transfer_urls: [url, goodPoint],
        cookie_transfer_scopes: [
          { name: 'sid', domain: 'www.good.example', path: '/' },
          { name: 'sid', domain: 'www.good.example', path: '/' },
          { name: 'odd', domain: '', path: '/' },
        ],
      })
      expect(config.points.map((point) => point.url)).toEqual([goodPoint])
      expect(config.pages.map((page) => page.url)).toEqual(['https://www.good.example/'])
      expect(config.cookies.map(({ name }) => name)).toEqual(['sid'])
      expect(notes).toEqual([
        expect.stringMatching(/ is left out: /),
        expect.stringMatching(/^odd \( \/\) is left out: /),
      ])
      expect(notes[0]).toMatch(why)
    })

    it('leaves out back-transfer that cannot work, and the point that would call itself', async () => {
      const made = toFirstConfig({
        pages: ['https://www.good.example/', 'https://s.example/'],
        points: ['https://s.example/service_cookie_transfer/', goodPoint].map((url) => ({
          url,
          widgetKey: 'env:WIDGET_KEY',
        })),
        scopes: [],
        serviceUrl: 'https://s.example',
        prefix: '/service_cookie_transfer/',
        account: { backTransfer: true },
      })
      expect(made).toMatchObject({
        points: [{ url: goodPoint }],
        notes: [
          expect.stringMatching(/^https:\/\/s\.example\/service_cookie_transfer\/ is left out: /),
          expect.stringMatching(/^backTransfer is left out: .* The account has it on\.$/),
        ],
      })
      expect(made).not.toHaveProperty('text', expect.stringContaining('"backTransfer": true'))
    })

    it.each([
      [['--from-clients', '--service', 'https://s.example'], {}, 'needs the reseller'],
      [['--from-clients', '--from-account'], { API_KEY: 'k' }, 'exclude each other'],
    ])('%j needs more', async (words, env, message) => {
      const io = fakeIo({}, env)
      expect(await run(['init', ...words], io)).toBe(2)
      expect(io.written.stderr).toContain(message)
    })

    it.each<[string, readonly string[], Record<string, string>, string]>([
      ['a key', ['--service', 'https://s.example'], {}, 'needs the REST key in the variable API_KEY'],
      ['the service', [], { API_KEY: 'secret' }, 'needs the service: --service URL'],
      ['https', ['--service', 'http://s.example'], { API_KEY: 'secret' }, 'needs a service on https'],
    ])('it needs %s', async (_what, words, env, message) => {
      const { code, stderr } = await runCommand(['init', '--from-account', ...words], fakeIo({}, env))
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    })
  })

  describe('from a config of a web server', () => {
    const site = `server { listen 443 ssl; server_name www.example.com pay.example.com;
  location ~ ^(/shop)?/service_cookie_transfer/ {
    proxy_pass https://s.example;
    proxy_set_header X-Widget-Key SECRET; } }`

    it('adopts points, pages, service and front end, but no key', async () => {
      const io = writableIo({ 'site.conf': site })
      expect(await run(['init', '--from-config', 'site.conf'], io)).toBe(0)
      expect(parseConfig(io.disk['config.json'] ?? '', 'config.json')).toMatchObject({
        config: {
          service: { url: 'https://s.example' },
          widgetKey: { kind: 'env', name: 'WIDGET_KEY' },
          points: ['pay', 'www'].flatMap((name) => [
            { url: `https://${name}.example.com/service_cookie_transfer/` },
            { url: `https://${name}.example.com/shop/service_cookie_transfer/` },
          ]),
          pages: [{ url: 'https://www.example.com/' }, { url: 'https://pay.example.com/' }],
          frontEnd: 'nginx',
        },
      })
      expect(io.written.stderr).toBe(
        'Line 2: the widget key of this rule is not copied; put it into the variable WIDGET_KEY.\nLine 2: the output of render replaces these rules; remove them when you include it.\n',
      )
      expect(io.written.stdout).toContain('continuation-point render nginx --output /etc/nginx\n')
      expect(JSON.stringify([io.disk['config.json'], io.written])).not.toContain('SECRET')
    })

    it('gives a second key its own variable, at its points', async () => {
      const text = `${site}\n${site.replaceAll('example.com', 'example.org').replace('SECRET', 'SECRET2')}`
      const io = writableIo({ '-': text })
      expect(await run(['init', '--from-config', '-', '--prefix', '/service_cookie_transfer/'], io)).toBe(0)
      const parsed = parseConfig(io.disk['config.json'] ?? '', 'config.json')
      const second = { kind: 'env', name: 'WIDGET_KEY_2' }
      const points = ['', '/shop'].map((path) => `https://www.example.org${path}/service_cookie_transfer/`)
      expect(parsed).toMatchObject({
        config: {
          points: expect.arrayContaining(
            points.map((url) => expect.objectContaining({ url, widgetKey: expect.objectContaining(second) })),
          ),
        },
      })
      expect(io.disk['config.json']?.match(/WIDGET_KEY_2/g)).toHaveLength(4)
      expect(io.written.stdout).toContain(
        'the widget keys into the variables WIDGET_KEY, WIDGET_KEY_2. Then:',
      )
    })

    it.each([
      [{ x: 'hello' }, /^continuation-point: x: it is not a config of nginx/],
      [{}, /x can't be read: it does not exist/],
      [{ x: 'server { listen 80; }' }, /x names no host: name your site as a URL/],
    ])('says why %j is not one', async (files, message) => {
      const { code, stderr } = await runCommand('init --from-config x', writableIo(files))
      expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    })
  })

  it('leaves out cookies that no browser keeps, and says so', async () => {
    const text = ['__Host-a; Path=/x; Secure', 'b; Domain=.com', 'ok; HttpOnly'].map(
      (cookie) => `Set-Cookie: ${cookie.replace(';', '=SECRET;')}`,
    )
    const lines = [...text, 'Set-Cookie: none=SECRET; SameSite=None; HttpOnly']
    const io = fakeIo({ x: lines.join('\n') })
    expect(await run(['init', 'https://www.example.com/', '--from-cookies', 'x', '--output', '-'], io)).toBe(
      0,
    )
    expect(parseConfig(io.written.stdout, 'x')).toMatchObject({ config: { cookies: [{ name: 'ok' }] } })
    expect(io.written.stderr).toMatch(/__Host-a .* is left out: /)
    expect(io.written.stderr + io.written.stdout).not.toContain('SECRET')
  })

  it('refuses a URL where no point can be', async () => {
    const { code, stderr, stdout } = await runCommand('init https://github.io/ --output -')
    expect([code, stderr, stdout]).toEqual([2, expect.stringContaining('public suffix'), ''])
  })

  it('says why a file can’t be written, and that a service is invalid', async () => {
    const io = {
      ...fakeIo(),
      writeFile: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' })),
    }
    expect(await run(['init', '--output', 'nowhere/x.json'], io)).toBe(2)
    expect(io.written.stderr).toContain(
      "nowhere/x.json can't be written: its folder does not exist. Name another file",
    )
    const other = fakeIo()
    expect(await run(['init', '--service', 'ftp://s.example', '--output', '-'], other)).toBe(2)
    expect(other.written.stderr).toMatch(/--service "ftp:\/\/s.example"/)
    const withSecrets = fakeIo({})
    expect(await run(['init', '--service', 'https://u:p@s.example/?q', '--output', '-'], withSecrets)).toBe(2)
    expect(withSecrets.written.stderr).toBe(
      'continuation-point: --service "https://…@s.example/?…": it has credentials\nSee continuation-point init --help.\n',
    )
  })

  it.each([['www.example.com'], ['ftp://www.example.com/'], ['https://']])('refuses %s', async (url) => {
    const { code, stderr } = await runCommand(['init', url])
    expect([code, stderr]).toEqual([2, expect.stringContaining('not an http or https URL')])
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
    '--host %j is not a host',
    async (word) => {
      const io = fakeIo({ 'cookies.txt': COOKIES })
      expect(await run(['scopes', 'cookies.txt', '--host', word], io)).toBe(2)
      expect(io.written.stdout).toBe('')
      expect(io.written.stderr).toContain('is not a host: write it as www.example.com')
    },
  )

  it.each([
    [['scopes'], {}, /FILE/],
    [['scopes', 'absent'], {}, /absent can't be read: it does not exist/],
    [['scopes', 'x'], { x: 'hello' }, /x: this is neither a HAR/],
    [['scopes', 'x'], { x: '\ufffd\ufffd[\0{\0' }, /x is not text in UTF-8/],
    [['init', '--from-config', '-'], { '-': 's\0e\0' }, /standard input is not text in UTF-8/],
  ])('%j exits 2 and says why', async (words, files, message) => {
    const { code, stderr } = await runCommand(words, fakeIo(files as Record<string, string>))
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})
