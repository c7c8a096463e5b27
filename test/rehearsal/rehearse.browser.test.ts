import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { toRequestedPath } from '../../src/http/url.ts'
import { compareViews } from '../../src/rehearsal/views.ts'
import type { Mode } from '../check/chromium/browser-mode.ts'
import { keptWorlds, type WorldCookie } from '../check/chromium/world.ts'
import { fakeIo, runCommand } from '../cli/fake-io.ts'
import { skipsBrowser } from '../sandbox/support/chromium.ts'
import { openFolder } from '../support/folder.ts'
import { kindOf, SECRET, type Site, startWorld } from './world.ts'

// It gets the texts of the pages, which no output has.
vi.mock('../../src/rehearsal/views.ts', async (original) => {
  const views = await original<typeof import('../../src/rehearsal/views.ts')>()
  return { ...views, compareViews: vi.fn(views.compareViews) }
})

const prefix = '/service_cookie_transfer/'
const SIGNED_IN = ['Hello, Robin', 'Hello, Robin', 'Log in']
const SID = ['sid; HttpOnly; Path=/']

interface Row {
  readonly name: string
  readonly sites: Readonly<Record<string, Site>>
  /** Default: `http://www.NAME.com/`. */
  readonly urls?: readonly string[]
  readonly config?: object
  /** Of the browser; default: `allowed`. */
  readonly mode?: Mode
  /** Whether it differs from what `check` says. */
  readonly isNews?: boolean
  /** The text of the visitor's page, and of the agent's with points and without; each number as 0. */
  readonly texts: readonly string[]
  /** Why cookies are held back: `cookie reason`. */
  readonly held?: readonly string[]
  readonly suggestion?: string
  readonly code?: number
  /** What the report says. */
  readonly says?: RegExp
}

const rows: readonly Row[] = [
  {
    name: 'restless',
    sites: {
      'www.restless.com': {
        cookies: [...SID, 'basket; HttpOnly; Path=/shop'],
        html: `<script>setInterval(() => fetch('/poll'), 100); alert('welcome')</script>`,
      },
    },
    texts: SIGNED_IN,
    held: ['basket path'],
  },
  {
    name: 'nobody',
    sites: { 'www.nobody.com': {} },
    texts: ['Log in', 'Log in', 'Log in'],
    says: /<h1>\? An agent sees what the visitor sees(?:.|\n)*No cookies were seen: were you signed in\?/,
  },
  {
    name: 'first visit',
    urls: ['http://www.first.com/'],
    sites: {
      'www.first.com': {
        answer: ({ url, headers: { cookie } }, response) => {
          const fields = { 'Content-Type': 'text/html', 'Set-Cookie': `seen=${SECRET}; HttpOnly` }
          const text = cookie === undefined ? 'Log in' : 'Hello, Robin'
          return url === '/' && Boolean(response.writeHead(200, fields).end(text))
        },
      },
    },
    texts: SIGNED_IN,
  },
  {
    name: 'wandering',
    sites: {
      'www.wandering.com': {
        cookies: SID,
        html: `<script>setTimeout(() => { location.href = '/home?' + Math.random() }, 300)</script>`,
      },
    },
    texts: SIGNED_IN,
  },
  {
    name: 'replaced',
    sites: {
      'www.replaced.com': {
        cookies: SID,
        html: `<script>performance.getEntriesByType = () => [{ responseStatus: '<img>' }]; Object.entries = 1
          Object.defineProperty(document, 'title', { get: () => ({}) })</script>`,
      },
    },
    texts: SIGNED_IN,
  },
  {
    name: 'windows',
    sites: {
      'www.windows.com': {
        cookies: SID,
        html: `<script>for (const n of [1, 2]) open('/home?' + n)</script>`,
      },
    },
    texts: SIGNED_IN,
  },
  {
    name: 'sign-in at another site',
    urls: ['https://www.signing.com/'],
    sites: {
      'www.signing.com': {
        cookies: SID,
        answer: ({ url, headers }, response) => {
          if (url !== '/' || /idp/.test(headers.referer ?? '') || url.includes('back')) return false
          if (headers['sec-fetch-site'] === 'cross-site') return false
          response
            .writeHead(200, { 'Content-Type': 'text/html' })
            .end('<script>location.href = "https://www.idp.com/in"</script>')
          return true
        },
      },
      'www.idp.com': {
        answer: (_, response) => {
          response.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': `ticket=${SECRET}; HttpOnly` })
          response.end('<script>location.href = "https://www.signing.com/"</script>')
          return true
        },
      },
    },
    texts: SIGNED_IN,
  },
  {
    name: 'a form, and a login at another site that reads what is filled in',
    sites: {
      'www.form.com': {
        cookies: SID,
        html: '<input value="Delft">',
        answer: ({ url, headers }, response) => {
          if (url !== '/home' || headers.cookie !== undefined) return false
          response.writeHead(302, { Location: 'http://www.elsewhere.com/home' }).end()
          return true
        },
      },
      'www.elsewhere.com': {
        html: `<input><p></p><script>Object.defineProperty(document.querySelector('input'), 'value', {
          set: (text) => { document.querySelector('p').textContent = text } })</script>`,
      },
    },
    texts: SIGNED_IN,
  },
  {
    name: 'policy',
    sites: {
      'www.policy.com': {
        cookies: [...SID, 'strict; SameSite=Strict; HttpOnly', 'basket; Path=/shop; HttpOnly'],
        fields: { 'Content-Security-Policy': "default-src 'none'" },
      },
    },
    config: { points: [`http://www.policy.com${prefix}`] },
    texts: ['Hello, Robin', 'Log in', 'Log in'],
    held: ['sid blocked', 'strict blocked', 'basket path'],
    code: 1,
    // Another point would be stopped too.
    says: /^(?!(?:.|\n)*would c)(?:.|\n)*stops the widget’s requests to http:\/\/www\.policy\.com.*: by its Content-Security-Policy/,
  },
  {
    name: 'worker',
    urls: ['https://www.worker.com/'],
    sites: {
      'www.worker.com': {
        cookies: SID,
        html: `<script>navigator.serviceWorker.register('/worker.js')</script>`,
        answer: ({ url }, response) => {
          if (url !== '/worker.js') return false
          response.writeHead(200, { 'Content-Type': 'text/javascript' })
          response.end(
            `onactivate = (event) => event.waitUntil(clients.claim()); onfetch = (event) => event.request.mode === 'navigate' || event.respondWith(new Response('mine'))`,
          )
          return true
        },
      },
    },
    texts: ['Hello, Robin', 'Log in', 'Log in'],
    held: ['sid blocked'],
    code: 1,
    says: /stops the widget’s requests to .*: by its Content-Security-Policy .*, its service worker or a script/,
  },
  {
    name: 'frames',
    urls: ['https://www.frames.com/'],
    sites: {
      'www.frames.com': {
        cookies: [...SID, 'all; Domain=frames.com; HttpOnly; Secure'],
        html: '<iframe src="https://pay.frames.com/"></iframe><iframe src="https://www.guest.com/"></iframe>',
      },
      'pay.frames.com': { cookies: ['payment; HttpOnly'] },
      'www.guest.com': { cookies: ['guest; HttpOnly; Secure; SameSite=None; Partitioned'] },
    },
    texts: SIGNED_IN,
    held: ['payment domain', 'sid domain'],
  },
  {
    name: 'crowd',
    sites: { 'www.crowd.com': { cookies: Array.from({ length: 2000 }, (_, n) => `c${n}`).concat(SID) } },
    texts: SIGNED_IN,
  },
  {
    name: 'odd hosts',
    urls: ['http://www.bücher.com/', 'http://[2001:db8::7]/'],
    sites: {
      'www.xn--bcher-kva.com': { cookies: ['sid; HttpOnly', 'odd; HttpOnly; Path=/a|b'] },
      '[2001:db8::7]': { cookies: ['sid; HttpOnly', 'here; HttpOnly'] },
    },
    texts: SIGNED_IN,
    held: ['here domain', 'sid domain', 'sid domain', 'odd domain', 'odd path'],
    code: 1,
  },
  {
    name: 'both schemes',
    urls: ['http://www.schemes.com/', 'https://www.schemes.com/'],
    sites: {
      'www.schemes.com': { cookies: [...SID, 'safe; Secure; HttpOnly', 'strict; SameSite=Strict; HttpOnly'] },
    },
    config: {
      points: ['http://www.schemes.com', 'https://www.schemes.com'].map((origin) => `${origin}${prefix}`),
      cookies: [],
    },
    texts: SIGNED_IN,
    held: ['safe secure'],
  },
  {
    name: 'basic',
    urls: ['http://robin:goodfellow@www.basic.com/'],
    sites: {
      'www.basic.com': {
        cookies: SID,
        answer: ({ headers }, response) => {
          if (headers.authorization !== undefined) return false
          response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end()
          return true
        },
      },
    },
    texts: SIGNED_IN,
  },
  {
    name: 'consent',
    sites: {
      'www.consent.com': {
        ...{ cookies: SID, pointStatus: 302 },
        html: `<button onclick="document.cookie = 'consent=1'">Yes</button>`,
      },
    },
    config: {
      points: [`http://www.consent.com${prefix}`, `http://www.stranger.com${prefix}`],
      pages: ['http://www.consent.com/'],
      cookies: [{ name: 'consent', domain: 'www.consent.com', path: '/' }],
    },
    texts: SIGNED_IN.map((greeting) => `${greeting} Yes`),
    held: ['sid domain'],
    says: /lists consent, which this visit did not set(?:.|\n)* sets sid, an httpOnly cookie that the config does not list/,
  },
  {
    name: 'another scheme',
    sites: { 'www.one-scheme.com': { cookies: SID } },
    urls: ['http://www.one-scheme.com/'],
    config: { points: [`https://www.one-scheme.com${prefix}`] },
    texts: ['Hello, Robin', 'Log in', 'Log in'],
    held: ['sid scheme'],
    code: 1,
  },
  {
    name: 'partition',
    urls: ['https://www.parts.com/'],
    sites: {
      'www.parts.com': { cookies: SID, html: '<iframe src="https://www.between.com/home"></iframe>' },
      'www.between.com': { html: '<iframe src="https://pay.parts.com/"></iframe>' },
      'pay.parts.com': { cookies: ['parted; HttpOnly; Secure; SameSite=None; Partitioned'] },
    },
    config: { points: ['www', 'pay'].map((label) => `https://${label}.parts.com${prefix}`) },
    texts: SIGNED_IN,
    held: ['parted domain', 'parted partition', 'sid domain'],
    code: 1,
    isNews: true,
    says: /check expects parted at https:\/\/pay\S+, but it is kept apart for another site/,
  },
  ...(
    [
      { name: 'another site', mode: 'allowed', held: ['strict same-site'] },
      {
        name: 'another site without third-party cookies',
        mode: 'blocked',
        held: ['none third-party', 'strict third-party'],
      },
    ] as const
  ).map((row) => ({
    ...row,
    urls: ['https://www.provider.com/', 'https://www.customer.com/home'],
    sites: {
      'www.provider.com': {
        cookies: ['none; SameSite=None; Secure; HttpOnly', 'strict; SameSite=Strict; Secure; HttpOnly'],
        // Its page is never shown.
        answer: ({ url }: IncomingMessage, response: ServerResponse) => {
          if (url !== '/home') return false
          response.writeHead(302, { Location: 'https://www.customer.com/home' }).end()
          return true
        },
      },
      // What differs in each view, as a clock does, is no difference.
      'www.customer.com': { html: '<script>document.write(String(Math.random()).slice(2))</script>' },
    },
    config: { points: [`https://www.provider.com${prefix}`] },
    texts: ['Log in 0', 'Log in 0', 'Log in 0'],
  })),
]

function toLine({ name, domain, path, httponly, secure, sameSite }: WorldCookie): string {
  const attributes = [
    ...(domain.startsWith('.') ? [`Domain=${domain.slice(1)}`] : []),
    ...[httponly && 'HttpOnly', secure && 'Secure', sameSite && `SameSite=${sameSite}`].filter(Boolean),
  ]
  return [name, `Path=${path}`, ...attributes].join('; ')
}

interface Document {
  readonly points: readonly { readonly url: string }[]
  readonly cookies: readonly {
    readonly name: string
    readonly attached: readonly string[]
    readonly held: readonly { readonly point: string; readonly reason: string }[]
  }[]
  readonly differ: boolean
}

describe.skipIf(skipsBrowser)('rehearse in Chromium', () => {
  const folder = openFolder()
  let world: Awaited<ReturnType<typeof startWorld>>

  beforeAll(async () => {
    world = await startWorld(Object.assign({}, ...rows.map(({ sites }) => sites)), folder)
  })
  afterAll(() => world.close())

  const rehearse = async (urls: readonly string[], config: object = {}) => {
    const io = { ...fakeIo({ 'config.json': JSON.stringify(config) }), kindOf }
    const words = ['rehearse', ...urls, '--headless', '--no-sandbox', '--browser', world.browser]
    const ran = await runCommand([...words, '--output', 'out', '--format', 'json'], io)
    expect(JSON.stringify(ran)).not.toContain(SECRET)
    return ran
  }

  /** The browser's word is what arrived, and `check --offline` says the same. */
  const expectTruth = ({ stdout, placed }: Awaited<ReturnType<typeof rehearse>>, isNews: boolean) => {
    const { points, cookies }: Document = JSON.parse(stdout)
    for (const { url } of points) {
      const isSent = ({ attached, held }: (typeof cookies)[number]) =>
        attached.includes(url) || held.some(({ point, reason }) => point === url && reason === 'blocked')
      const arrived = world.recorded.get(toRequestedPath(url))
      // Nobody knows what a request would carry that was never sent.
      if (arrived !== undefined)
        expect(new Set(cookies.filter(isSent).map(({ name }) => name)), url).toEqual(arrived)
    }
    expect(/check (?:expects|does not expect)/.test(placed['out/report.html'] ?? '')).toBe(isNews)
  }

  it.each(rows)(
    '$name',
    async ({
      sites,
      urls,
      config,
      mode = 'allowed',
      isNews = false,
      texts,
      held = [],
      code = 0,
      says = /^/,
    }) => {
      world.recorded.clear()
      vi.mocked(compareViews).mockClear()
      world.setMode(mode)
      const ran = await rehearse(urls ?? [`http://${Object.keys(sites)[0]}/`], config)
      expect(ran.stderr).toContain('out/report.html')
      const { cookies, differ }: Document = JSON.parse(ran.stdout)
      const [views] = vi.mocked(compareViews).mock.lastCall ?? []
      expect({
        code: ran.code,
        texts: Object.values(views ?? {}).map(({ text }) => text.replace(/\s+/g, ' ').replace(/\d+/g, '0')),
        held: cookies.flatMap((cookie) => cookie.held.map(({ reason }) => `${cookie.name} ${reason}`)),
        differ,
      }).toEqual({ code, texts, held, differ: texts[1] !== texts[2] })
      expectTruth(ran, isNews)
      expect(ran.placed['out/report.html']).toMatch(says)
    },
    120_000,
  )

  it.each(keptWorlds)(
    'says of a world what check --offline says: %j',
    async ({ pages, points, cookies }) => {
      world.recorded.clear()
      const named = cookies.map((cookie, index) => ({ ...cookie, name: `${cookie.name}${index}` }))
      const hosts = new Set(named.map(({ domain }) => domain.replace(/^\./, '')))
      for (const host of hosts)
        world.sites[host] = { cookies: named.filter(({ domain }) => domain.endsWith(host)).map(toLine) }
      const urls = [...hosts].map((host) => `https://${host}/`).concat(pages.map((page) => `${page}/home`))
      const ran = await rehearse(urls, { pages, points, cookies: named })
      expectTruth(ran, false)
    },
    120_000,
  )
})
