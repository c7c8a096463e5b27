import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { findBrowser } from '../../src/cli/browse-site.ts'
import type { Io } from '../../src/cli/io.ts'
import { run } from '../../src/cli/run.ts'
import { parseConfig } from '../../src/config/parse.ts'
import { freePort } from '../front-ends/support/real-server.ts'
import { chromiumPath, skipsBrowser } from '../sandbox/support/chromium.ts'
import { certificate } from '../support/certificates/certificate.ts'
import { configOf } from '../support/config-of.ts'
import { openFolder } from '../support/folder.ts'
import { listen, listenForTest } from '../support/listen.ts'
import { runProgram } from '../support/program.ts'
import { fakeIo, runCommand } from './fake-io.ts'

const SECRET = 'the-value-of-a-cookie'
const COOKIES = [
  `sid=${SECRET}; HttpOnly; Secure; SameSite=Strict`,
  `basket=${SECRET}; Path=/shop; HttpOnly`,
  `all=${SECRET}; Domain=shop.localhost; Secure; SameSite=None`,
  `seen=${SECRET}; Max-Age=3600`,
]

/** A site that sets cookies, and signs in at another site, which sets one too. */
let site: Server
let port: number
const folder = openFolder()
/** Chromium without a display, for a program that thinks there is one. */
let windowless: string
/** Chromium that finds no display. */
let screenless: string
let debugPort: number

beforeAll(async () => {
  site = createServer((request, response) => {
    const { host = '' } = request.headers
    const path = request.url ?? ''
    const isOther = host.startsWith('sso.')
    const cookies = path === '/account' ? [`member=${SECRET}; HttpOnly; Path=/account`] : COOKIES
    response.setHeader('Set-Cookie', isOther ? [`ticket=${SECRET}; HttpOnly`] : cookies)
    const next: Record<string, string> = {
      '/': `http://sso.other.localhost:${port}/in`,
      '/in': `http://www.shop.localhost:${port}/home`,
      '/sign-in': '/account',
    }
    if (next[path] !== undefined) response.writeHead(302, { Location: next[path] })
    else response.setHeader('Content-Type', 'text/html')
    const script = path === '/home' ? `document.cookie = 'script=${SECRET}'` : ''
    response.end(`<title>Shop</title><script>onload = () => { ${script} }</script>`)
  })
  ;({ port } = await listen(site))
  windowless = join(folder, 'chromium')
  screenless = join(folder, 'blind')
  debugPort = await freePort()
  await writeFile(
    windowless,
    `#!/bin/sh\necho $$ > ${windowless}.pid\nexec ${chromiumPath} --headless --disable-gpu --remote-debugging-port=${debugPort} "$@"\n`,
  )
  await writeFile(screenless, `#!/bin/sh\nunset DISPLAY WAYLAND_DISPLAY\nexec ${chromiumPath} "$@"\n`)
  for (const script of [windowless, screenless]) await chmod(script, 0o755)
})

afterAll(() => new Promise((resolve) => site.close(resolve)))

/** Of real files: where the browser is. */
const kindOf: Io['kindOf'] = async (path) => (existsSync(path) ? 'file' : 'nothing')

async function browse(
  flags: readonly string[],
  ask?: (question: string, signal?: AbortSignal) => Promise<string>,
) {
  const io = { ...fakeIo({}, { PATH: process.env.PATH }), kindOf, ...(ask && { ask }) }
  const ran = await runCommand(['scopes', ...flags], io)
  expect(ran.stdout + ran.stderr).not.toContain(SECRET)
  return ran
}

/** As a user does it, through Chromium's debugging port. */
async function closeWindow(): Promise<void> {
  const pages = (await (await fetch(`http://127.0.0.1:${debugPort}/json/list`)).json()) as {
    id: string
    type: string
  }[]
  for (const { id } of pages.filter(({ type }) => type === 'page')) {
    await fetch(`http://127.0.0.1:${debugPort}/json/close/${id}`)
  }
}

async function quitBrowser(): Promise<void> {
  process.kill(Number(await readFile(`${windowless}.pid`, 'utf8')))
}

function namesIn(printed: string): readonly string[] {
  return configOf(printed).cookies.map(({ name }) => name)
}

describe.skipIf(skipsBrowser)('scopes --browse', () => {
  it('takes the cookies of the site without their values, and leaves those of others out', async () => {
    const url = `http://www.shop.localhost:${port}/`
    const { code, stdout, stderr } = await browse(['--browse', url, '--headless', '--no-sandbox'])
    expect([code, stderr]).toEqual([0, '1 cookie of another site was left out.\n'])
    const parsed = parseConfig(stdout, 'cookies')
    const domain = 'www.shop.localhost'
    expect(parsed).toMatchObject({
      config: {
        cookies: [
          {
            name: 'all',
            domain: '.shop.localhost',
            path: '/',
            httponly: false,
            secure: true,
            sameSite: 'None',
          },
          { name: 'script', domain, path: '/', httponly: false, secure: false },
          { name: 'seen', domain, path: '/', httponly: false, secure: false },
          { name: 'sid', domain, path: '/', httponly: true, secure: true, sameSite: 'Strict' },
          { name: 'basket', domain, path: '/shop', httponly: true, secure: false },
        ],
      },
    })
  }, 60_000)

  it.each([
    ['shop-authority.cert', 0, '', /"sid"/],
    ['authority.cert', 2, 'the certificate of www.shop.localhost is not valid by --ca-file: ', /^$/],
  ])(
    'with --ca-file %s ends with %i',
    async (authority, code, message, cookies) => {
      const [cert, key] = ['shop.cert', 'shop.key'].map((name) => readFileSync(certificate(name)))
      const secure = createSecureServer({ cert, key }, (_, response) =>
        response.setHeader('Set-Cookie', `sid=${SECRET}; Secure; HttpOnly`).end(),
      )
      const url = `https://www.shop.localhost:${await listenForTest(secure)}/`
      const words = ['scopes', '--browse', url, '--headless', '--no-sandbox', '--ca-file']
      const ran = await runProgram([...words, certificate(authority)])
      expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(message)])
      expect(ran.stdout).toMatch(cookies)
    },
    60_000,
  )

  it.runIf(process.getuid?.() === 0)(
    'root can start the browser from init as its message says',
    async () => {
      const script = join(folder, 'rooted', 'chromium')
      await mkdir(join(script, '..'))
      await cp(windowless, script)
      const lines = ['', 'nginx', 'browser', 'browser --no-sandbox', '']
      const disk: Record<string, string> = {}
      const io = {
        ...fakeIo({}, { PATH: join(script, '..') }),
        kindOf,
        ask: async () => lines.shift(),
        writeFile: async (path: string, text: string) => {
          disk[path] = text
        },
      }
      const file = join(folder, 'rooted.json')
      expect(await run(['init', `http://www.shop.localhost:${port}/quiet`, '--output', file], io)).toBe(0)
      expect([lines, io.written.stderr]).toEqual([[], expect.stringContaining('add --no-sandbox')])
      expect(namesIn(disk[file] ?? '')).toContain('sid')
    },
    60_000,
  )

  it('waits for Enter at the terminal', async () => {
    const asked: string[] = []
    const url = `http://www.shop.localhost:${port}/quiet`
    const { code, stdout } = await browse(
      ['--browse', url, '--browser', windowless, '--no-sandbox'],
      async (question) => {
        asked.push(question)
        return ''
      },
    )
    expect([code, asked.length]).toEqual([0, 1])
    expect(namesIn(stdout)).toEqual(['all', 'seen', 'sid', 'basket'])
  }, 60_000)

  it.each([
    ['the window', closeWindow],
    ['the browser', quitBrowser],
  ])(
    'also ends with %s, and keeps what it has seen',
    async (_what, close) => {
      const url = `http://www.shop.localhost:${port}/sign-in`
      let ended: AbortSignal | undefined
      const flags = ['--browse', url, '--browser', windowless, '--no-sandbox']
      const { code, stdout } = await browse(flags, (_question, signal) => {
        ended = signal
        return close().then(() => new Promise(() => {}))
      })
      expect([code, ended?.aborted]).toEqual([0, true])
      expect(namesIn(stdout)).toContain('member')
    },
    60_000,
  )

  it.each<[string, () => readonly string[], RegExp]>([
    [
      'a page that does not load',
      () => ['--browse', 'http://www.shop.localhost:1/', '--headless', '--no-sandbox'],
      /The page did not load: ERR_[A-Z_]+\./,
    ],
    [
      'no screen',
      () => ['--browse', `http://www.shop.localhost:${port}/`, '--browser', screenless, '--no-sandbox'],
      /there is no display\. .*--headless/,
    ],
    [
      'a file that is not a browser',
      () => ['--browse', 'http://x/', '--browser', '/bin/true', '--headless'],
      /\/bin\/true did not start: it is not a working Chromium/,
    ],
  ])(
    'says what to do about %s',
    async (_what, flags, message) => {
      const { code, stdout, stderr } = await browse(flags())
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(message)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    },
    60_000,
  )
})

describe('arguments of scopes --browse', () => {
  it.each([
    [[], 'name one source: FILE, or --browse URL'],
    [['x', '--browse', 'http://x/'], 'name one source'],
    [['x', '--headless'], '--headless, --browser, --ca-file and --no-sandbox belong to --browse URL'],
    [['--browse', 'www.example.com'], 'is not an http or https URL'],
    [['--browse', 'http://x/', '--browser', '/nowhere'], '--browser /nowhere does not exist'],
  ])('%j is refused', async (words, message) => {
    const { code, stderr } = await browse(words)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('finds a browser on PATH, and says so if there is none', async () => {
    const io = fakeIo({ '/opt/x/google-chrome': '' }, { PATH: '/usr/bin:/opt/x' })
    expect(await findBrowser(io)).toBe('/opt/x/google-chrome')
    const none = await runCommand('scopes --browse http://x/', fakeIo({}, { PATH: '/usr/bin' }))
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('name it with --browser PATH')])
  })

  it('says which package to install where it is missing', async () => {
    const alone = join(folder, 'alone')
    await mkdir(join(alone, 'node_modules'), { recursive: true })
    const top = fileURLToPath(new URL('../../', import.meta.url))
    await cp(join(top, 'dist'), join(alone, 'dist'), { recursive: true })
    await cp(join(top, 'package.json'), join(alone, 'package.json'))
    for (const name of Object.keys(packageJson.dependencies)) {
      await mkdir(join(alone, 'node_modules', name, '..'), { recursive: true })
      await symlink(join(top, 'node_modules', name), join(alone, 'node_modules', name))
    }
    const words = ['scopes', '--browse', 'http://x/', '--browser', '/bin/true', '--headless']
    const { code, stderr } = await runProgram(words, { script: join(alone, 'dist/main.js') })
    expect([code, stderr]).toEqual([2, expect.stringContaining('npm install playwright-core')])
    expect(await readFile(join(alone, 'package.json'), 'utf8')).not.toContain('peerDependencies')
  })
})
