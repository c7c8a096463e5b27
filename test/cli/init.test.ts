import { describe, expect, it } from 'vitest'
import type { Io } from '../../src/cli/io.ts'
import type { Config } from '../../src/config/config.ts'
import { parseConfig } from '../../src/config/parse.ts'
import { toFirstConfig } from '../../src/setup/first-config.ts'
import { startStub } from '../api/support/stub-service.ts'
import { fakeIo, runCommand, writableIo } from './fake-io.ts'

const COOKIES = 'Set-Cookie: sid=SECRET; HttpOnly; Secure\nSet-Cookie: basket=SECRET; Path=/shop; HttpOnly'
const PAGE = 'https://www.example.com/'

interface Given {
  readonly files?: Readonly<Record<string, string>>
  /** What is typed at the terminal, and then empty lines; absent: no terminal. */
  readonly answers?: readonly string[]
  readonly io?: Partial<Io>
}

async function runInit(words: string | readonly string[], { files, answers, io: more }: Given) {
  const io = writableIo({ ...files })
  const asked: string[] = []
  const ask = async (question: string) => answers?.[asked.push(question) - 1] ?? ''
  const line = ['init', ...(typeof words === 'string' ? words.split(' ') : words)].filter(Boolean)
  const ran = await runCommand(line, { ...io, ...(answers && { ask }), ...more })
  const text = io.disk['config.json'] ?? ran.stdout
  expect(text + ran.stdout + ran.stderr).not.toContain('SECRET')
  return { ...ran, asked, text, disk: io.disk }
}

/** Runs `init` to its end, and reads the config that it wrote or printed. */
async function init(words: string | readonly string[], given: Given = {}) {
  const ran = await runInit(words, given)
  expect(ran.code, ran.stderr).toBe(0)
  const { config } = parseConfig(ran.text, 'config.json') as { readonly config: Config }
  return { ...ran, config }
}

/** What it says when it refuses, and neither prints nor writes anything. */
async function refusal(words: string | readonly string[], given: Given = {}): Promise<string> {
  const { code, stdout, stderr, disk } = await runInit(words, given)
  expect([code, stdout, disk]).toEqual([2, '', given.files ?? {}])
  return stderr
}

describe('init', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['a page', ['https://www.example.com/some/page?x'], ['https://www.example.com/service_cookie_transfer/']],
    ['a host', ['www.example.com'], ['https://www.example.com/service_cookie_transfer/']],
    [
      'a point of another vendor and a page',
      ['https://www.example.com/acme_cookie_transfer/', 'https://shop.example.com/'],
      ['shop', 'www'].map((host) => `https://${host}.example.com/acme_cookie_transfer/`),
    ],
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
    expect((await init([...urls, '--service', 'service.example', '--output', '-'])).config).toMatchObject({
      points: points.map((url) => ({ url })),
      service: { url: 'https://service.example' },
    })
  })

  it('lists cookies by name and scope, and the points that carry them all', async () => {
    const files = { 'cookies.txt': COOKIES }
    const { config } = await init(`${PAGE} --from-cookies cookies.txt --output -`, { files })
    expect(config).toMatchObject({
      points: ['', '/shop'].map((path) => ({
        url: `https://www.example.com${path}/service_cookie_transfer/`,
      })),
      pages: [{ url: PAGE }],
      cookies: [
        { name: 'sid', domain: 'www.example.com', path: '/' },
        { name: 'basket', path: '/shop' },
      ],
    })
  })

  // Other formats of exports are in test/scopes, and other cookies in init.property.test.ts.
  it('makes a config without a finding from a cookies.txt', async () => {
    const text = '#HttpOnly_www.example.com\tFALSE\t/\tTRUE\t0\tsid\tSECRET'
    const { disk } = await init(`${PAGE} --from-cookies export`, { files: { export: text } })
    const checked = await runCommand('check --offline', fakeIo(disk))
    expect(checked).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Cookies: 1 sent\nno findings;'),
    })
  })

  it('leaves cookies of other sites out, and says how many', async () => {
    const text = ['example.com', 'ads.example.net', 'example.org']
      .map((host) => `.${host}\tTRUE\t/\tTRUE\t0\tof-${host}\tSECRET`)
      .join('\n')
    const files = { 'cookies.txt': text }
    const one = await init(`${PAGE} --from-cookies cookies.txt`, { files })
    expect(one.stderr).toBe('2 cookies of other sites were left out.\n')
    expect(one.config.cookies.map(({ name }) => name)).toEqual(['of-example.com'])
    const two = await init(`${PAGE} https://example.org./ --from-cookies cookies.txt`, { files })
    expect(two.stderr).toBe('1 cookie of another site was left out.\n')
    expect(two.config.cookies).toHaveLength(2)
    const none = await init('--from-cookies cookies.txt', { files })
    expect([none.stderr, none.config.cookies.length]).toEqual(['', 3])
  })

  it('writes config.json, and replaces an existing one only with --force', async () => {
    const { disk: files, stdout } = await init(PAGE)
    expect(stdout).toBe(`Wrote config.json: 1 point, 0 cookies.
Add the cookies to transfer: see continuation-point init --help.
Next: put the service's address into config.json, and the widget key into the
variable WIDGET_KEY. Then (for nginx; else render apache, caddy, haproxy):

  continuation-point render nginx --output /etc/nginx
  continuation-point serve
  continuation-point check

Your account at the service has to list the same points and cookies. settings
apply writes them there, if the config has "apiKey"; settings sheet prints
what to type in the dashboard:

  continuation-point settings apply
  continuation-point settings sheet

Both keys are in the integration panel, below the widget code.
`)
    expect(await refusal('https://b.example/', { files })).toMatch(
      /config\.json exists already.*--output.*--force/,
    )
    expect((await init('https://b.example/ --force', { files })).text).toContain('https://b.example/')
  })

  it.each([
    [['--front-end', 'caddy', '--output', 'b.json'], 'render caddy --config b.json --output /etc/caddy'],
    [['--front-end', 'haproxy', '--output', "it's b.json"], "serve --config 'it'\\''s b.json'"],
    [['--output', 'b.json'], 'dashboard:\n\n  continuation-point settings apply --config b.json\n'],
    [['--output', "\u{1f468}\u200d'\\.json"], "check --config $'\u{1f468}\\342\\200\\215\\'\\\\.json'\n"],
    [['--front-end', 'node'], 'const points = await openPoints("config.json", { env: process.env })'],
    [['--service', 'https://s.example'], 'Next: put the widget key into the variable WIDGET_KEY. Then (for'],
  ])('names the commands that come next with %j', async (flags, line) => {
    const { code, stdout } = await runInit([PAGE, ...flags], {})
    expect([code, stdout]).toEqual([0, expect.stringContaining(line)])
  })

  it('says so if no config can list all cookies of an export', async () => {
    const line = (index: number) => `Set-Cookie: n${index}=SECRET; Path=/${'p'.repeat(900)}; HttpOnly`
    const many = Array.from({ length: 4600 }, (_, index) => line(index)).join('\n')
    const files = { 'cookies.txt': many }
    expect(await refusal(`${PAGE} --from-cookies cookies.txt`, { files })).toMatch(
      /have 4600 segments, and a first config takes 4000/,
    )
  })

  describe('at a terminal', () => {
    it('asks for the site, its other pages, the service, the front end and the cookies', async () => {
      const { asked, config, stdout } = await init('', {
        answers: ['www.example.com', 'pay.example.com,http://www.shop.localhost:8080', 's.example', 'caddy'],
      })
      expect(asked).toHaveLength(5)
      expect(config).toMatchObject({
        service: { url: 'https://s.example' },
        pages: [PAGE, 'https://pay.example.com/', 'http://www.shop.localhost:8080/'].map((url) => ({ url })),
        frontEnd: 'caddy',
      })
      expect(stdout).toContain('render caddy')
    })

    it('asks again after an invalid answer, and uses the default for an empty one', async () => {
      const { asked, stdout, stderr } = await init('', {
        answers: ['', 'ftp://x/', 'www.example.com', '', 'https://s.example/path', '', 'iss', ''],
      })
      expect(asked).toHaveLength(9)
      expect(stderr).toBe(`its address is needed
"ftp://x/" is not an http or https URL
"https://s.example/path": it has a path
choose one of these
`)
      expect(stdout).toContain("put the service's address into config.json")
      expect(stdout).toContain('render nginx')
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
    ])('takes the cookies from %s', async (_what, answer, cookies) => {
      const { config } = await init(PAGE, {
        answers: ['', '', answer],
        files: { 'cookies.txt': COOKIES, '/home/robin/cookies.txt': COOKIES },
        io: { env: { HOME: '/home/robin' } },
      })
      expect(config.cookies).toMatchObject(
        cookies.map(([name, path]) => ({ name, path, domain: 'www.example.com', httponly: true })),
      )
    })

    it('asks for the cookies again if they can’t be read, and says why', async () => {
      const { asked, stderr } = await init(PAGE, { answers: ['', '', 'cookies.har', 'sid'] })
      expect(asked).toHaveLength(4)
      expect(stderr).toMatch(/^cookies\.har can't be read: .+\n$/)
    })

    it('asks again after a yes, with an example, and takes a no for nothing', async () => {
      const { asked, config, stderr } = await init('', {
        answers: [
          ...['y', 'www.example.com'],
          ...['yes', 'none'],
          ...['Y', 'no'],
          'none',
          'Caddy',
          ...['yes', 'which ones?', 'sid'],
        ],
      })
      expect(asked).toHaveLength(11)
      expect(stderr).toBe(`write it here, such as https://www.example.com/
write it here, such as https://pay.example.com/
write it here, such as https://cobrowse.example.net
choose one of these
write it here, such as sid basket:/shop
"ones?" is neither a file nor the name of a cookie
`)
      expect(config).toMatchObject({ pages: [{ url: PAGE }], cookies: [{ name: 'sid' }] })
    })

    it('asks again until the input ends, and writes nothing then', async () => {
      let turns = 4
      const ask = async () => {
        turns -= 1
        return turns < 0 ? undefined : ''
      }
      const { code, disk, stderr } = await runInit('', { io: { ask } })
      expect([code, disk, stderr]).toEqual([
        2,
        {},
        `${'its address is needed\n'.repeat(4)}continuation-point: nothing was written: the input ended before the last answer\n`,
      ])
    })

    it('asks again for what no config can have, and says what is wrong', async () => {
      const { asked, config, stderr } = await init('', {
        answers: [
          ...['co.uk', 'www..example.com', '*.example.com', 'www.example.com'],
          ...['com', 'pay.example.com'],
          ...['www.example.com', 'http://s.example', 's.example'],
        ],
      })
      expect(asked).toHaveLength(11)
      expect(stderr.split('\n')).toEqual([
        'https://co.uk/service_cookie_transfer/: co.uk is a public suffix, not a site.',
        expect.stringMatching(/^https:\/\/www\.\.example\.com\/.*: its host is not a name that DNS allows/),
        expect.stringMatching(/^https:\/\/\*\.example\.com\/.*: it has a wildcard/),
        'https://com/service_cookie_transfer/: com is a public suffix, not a site.',
        expect.stringMatching(/^service\.url: The service and the point .* the proxy would call itself\.$/),
        'service.url: Cookies and the widget key would travel to the service unencrypted.',
        '',
      ])
      expect(config).toMatchObject({
        service: { url: 'https://s.example' },
        pages: [{ url: PAGE }, { url: 'https://pay.example.com/' }],
      })
    })

    it('asks for what no argument gives, and with --yes for nothing', async () => {
      const { asked } = await init(PAGE, { answers: [] })
      const questions = asked.map((question) => question.split('\n\n').at(-1) ?? '')
      expect(questions.map((question) => question.split(' ')[0])).toEqual(['Address', 'What', 'Which'])
      expect(questions[1]).toMatch(/\?\n {2}nginx\n {2}apache\n/)
      const narrow = await init(PAGE, { answers: [], io: { stderrColumns: 200 } })
      for (const line of narrow.asked.join('\n').split('\n')) expect(line.length).toBeLessThanOrEqual(80)
      expect((await init(`${PAGE} --yes`, { answers: [] })).asked).toEqual([])
    })
  })

  describe('from the account', () => {
    it('keeps its points as they are, and its back-transfer', () => {
      const url = 'https://www.example.com/shop/service_cookie_transfer/'
      const made = toFirstConfig({
        pages: ['https://www.example.com/'],
        points: [url],
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

    const fromStub = async (...answers: readonly object[]) => {
      const { baseUrl } = await startStub(...answers)
      const line = `--from-account --service ${baseUrl.replace('/v2', '')} --output -`
      const { config, stderr } = await init(line, { io: { env: { API_KEY: 'key' } } })
      return { config, notes: stderr.split('\n').slice(0, -1) }
    }
    const goodPoint = 'https://www.good.example/service_cookie_transfer/'

    it.each([
      ['https://com/service_cookie_transfer/', /public suffix/],
      ['https://www.odd.example./service_cookie_transfer/', /its host ends in a dot/],
      ['https://127.0.0.1/service_cookie_transfer/?x', /it has a query/],
      ['www.odd.example', /is not an absolute/],
      ['http://*.odd.example/service_cookie_transfer/', /wildcard/],
    ])('of an account leaves out the point %j alone', async (url, why) => {
      const { config, notes } = await fromStub({
        body: {
          cookie_transfer_urls: [url, goodPoint],
          cookie_transfer_scopes: [
            { name: 'sid', domain: 'www.good.example', path: '/', id: 7, secure: 'yes' },
            { name: 'sid', domain: 'www.good.example', path: '/' },
            { name: 'odd', domain: '', path: '/' },
          ],
        },
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

    it('says how long it waits for the service', async () => {
      const wait = { status: 429, headers: { 'retry-after': '1' } }
      const { notes } = await fromStub(wait, { body: { cookie_transfer_urls: [goodPoint] } })
      expect(notes).toEqual([expect.stringContaining('Waiting 1 s: ')])
    })

    it('leaves out back-transfer that cannot work, and the point that would call itself', async () => {
      const made = toFirstConfig({
        pages: ['https://www.good.example/', 'https://s.example/'],
        points: ['https://s.example/service_cookie_transfer/', goodPoint],
        scopes: [],
        serviceUrl: 'https://s.example',
        prefix: '/service_cookie_transfer/',
        account: { backTransfer: true },
      })
      expect(made).toMatchObject({
        points: [goodPoint],
        notes: [
          expect.stringMatching(/^https:\/\/s\.example\/service_cookie_transfer\/ is left out: /),
          expect.stringMatching(/^backTransfer is left out: .* The account has it on\.$/),
        ],
      })
      expect(made).not.toHaveProperty('text', expect.stringContaining('"backTransfer": true'))
    })

    it.each<[string, Record<string, string>, string]>([
      ['--from-account --service https://s.example', {}, 'needs the REST key in the variable API_KEY'],
      ['--from-account', { API_KEY: 'secret' }, 'needs the service: --service URL'],
      [
        '--from-account --service https://s.example',
        { API_KEY: 'secret', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
        'NODE_TLS_REJECT_UNAUTHORIZED=0',
      ],
      ['--from-account --service http://s.example', { API_KEY: 'secret' }, 'needs a service on https'],
    ])('%s with %j: %s', async (line, env, message) => {
      expect(await refusal(line, { io: { env } })).toContain(message)
    })
  })

  it('leaves out cookies that no browser keeps, and says so', async () => {
    const text = ['__Host-a; Path=/x; Secure', 'b; Domain=.com', 'ok; HttpOnly'].map(
      (cookie) => `Set-Cookie: ${cookie.replace(';', '=SECRET;')}`,
    )
    const lines = [...text, 'Set-Cookie: none=SECRET; SameSite=None; HttpOnly']
    const files = { x: lines.join('\n') }
    const { config, stderr } = await init(`${PAGE} --from-cookies x --output -`, { files })
    expect(config.cookies).toMatchObject([{ name: 'ok' }])
    expect(stderr).toMatch(/__Host-a .* is left out: /)
  })

  it.each([
    ['absent', {}, "absent can't be read: it does not exist"],
    ['x', { x: 'hello' }, 'x: this is neither a HAR'],
    ['x', { x: '\ufffd\ufffd[\0{\0' }, 'x is not text in UTF-8'],
    ['-', { '-': 's\0e\0' }, 'standard input is not text in UTF-8'],
  ])('refuses --from-cookies %s of %j', async (file, files, message) => {
    const given = files as Record<string, string>
    expect(await refusal(`${PAGE} --from-cookies ${file}`, { files: given })).toContain(message)
  })

  it('says why a file can’t be written', async () => {
    const writeFile = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' }))
    expect(await refusal('--output nowhere/x.json', { io: { writeFile } })).toContain(
      "nowhere/x.json can't be written: its folder does not exist. Name another file",
    )
  })

  it.each([
    ['https://github.io/ --output -', 'public suffix'],
    ['--service ftp://s.example --output -', '--service "ftp://s.example"'],
    [
      '--service https://u:p@s.example/?q --output -',
      'continuation-point: --service "https://…@s.example/?…": it has credentials\nSee continuation-point init --help.\n',
    ],
    ['ftp://www.example.com/', 'not an http or https URL'],
    ['https://', 'not an http or https URL'],
  ])('refuses %s', async (line, message) => {
    expect(await refusal(line)).toContain(message)
  })
})
