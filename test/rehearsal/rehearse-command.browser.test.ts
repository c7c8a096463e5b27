import { readdirSync, readFileSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { chromium } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fakeIo, runCommand } from '../cli/fake-io.ts'
import { freePort } from '../front-ends/support/real-server.ts'
import { skipsBrowser } from '../sandbox/support/chromium.ts'
import { certificate, pemOf } from '../support/certificates/certificate.ts'
import { configOf } from '../support/config-of.ts'
import { openFolderOfTest } from '../support/folder.ts'
import { listenForTest } from '../support/listen.ts'
import { openForTest } from '../support/open-for-test.ts'
import { runProgram, startProgram } from '../support/program.ts'
import { until } from '../support/until.ts'
import { kindOf, SECRET, startWorld } from './world.ts'

const HEADLESS = ['--headless', '--no-sandbox']

describe.skipIf(skipsBrowser)('rehearse at a window', () => {
  const sites = {
    'www.window.com': {
      cookies: ['sid; HttpOnly'],
      html: `<button onclick="document.cookie = 'consent=${SECRET}'; localStorage.cart = 2">Agree</button>
        <input name="city"><input type="password">
        <p id="cart"></p><script>cart.textContent = 'cart ' + localStorage.cart</script>`,
    },
  }

  /** What the visitor does before they press Enter, through Chromium's debugging port. */
  const visit = async (act: (port: number, pid: number) => Promise<unknown>) => {
    const port = await freePort()
    const folder = openFolderOfTest()
    const world = await openForTest(startWorld(sites, folder, `--headless --remote-debugging-port=${port}`))
    const io = {
      ...fakeIo(),
      kindOf,
      ask: async () => {
        await act(port, Number(readFileSync(`${world.browser}.pid`, 'utf8')))
        return ''
      },
      writeFile: async (path: string, text: string) => void Object.assign(io.placed, { [path]: text }),
    }
    const words = ['rehearse', 'http://www.window.com/', '--browser', world.browser, '--no-sandbox']
    const ran = await runCommand([...words, '--output', 'out', '--format', 'json', '--write', 'new.json'], io)
    expect(JSON.stringify(ran)).not.toContain(SECRET)
    return ran
  }

  it('takes what the visitor did until Enter', async () => {
    const { code, stdout, placed } = await visit(async (port) => {
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
      const page = browser.contexts()[0]?.pages()[0]
      await page?.getByRole('button').click()
      await page?.locator('[name=city]').fill('Delft')
      await page?.locator('[type=password]').fill(SECRET)
      await browser.close()
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).cookies.map(({ name }: { name: string }) => name)).toEqual(['consent', 'sid'])
    expect(configOf(placed['new.json'] ?? '').cookies).toHaveLength(2)
  }, 120_000)

  it.each([
    ['the window', (port: number) => closeWindows(port)],
    ['the browser', async (_: number, pid: number) => process.kill(pid)],
  ])(
    'ends with %s, and keeps what it has seen',
    async (_what, close) => {
      const { code, stdout, placed } = await visit(async (port, pid) => {
        await close(port, pid)
      })
      expect([code, JSON.parse(stdout).views]).toEqual([3, {}])
      expect(configOf(placed['new.json'] ?? '').cookies.map(({ name }) => name)).toEqual(['sid'])
      expect(placed['out/report.html']).toContain('The browser was closed early')
    },
    120_000,
  )
})

async function closeWindows(port: number): Promise<void> {
  const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    id: string
    type: string
  }[]
  for (const { id } of pages.filter(({ type }) => type === 'page'))
    await fetch(`http://127.0.0.1:${port}/json/close/${id}`)
}

describe.skipIf(skipsBrowser)('the command rehearse', () => {
  it.each([
    [['--ca-file', certificate('shop-authority.cert')], 0, 'Pictures and report'],
    [['--ca-file', certificate('authority.cert')], 3, 'the certificate of www.shop.localhost is not valid'],
    [[], 3, '(name your own authority with --ca-file)'],
  ] as const)(
    'of a site with a private authority, with %j, ends with %i',
    async (trust, code, message) => {
      const tls = { cert: pemOf('shop.cert'), key: pemOf('shop.key') }
      const secure = createSecureServer(tls, (_, response) =>
        response.setHeader('Set-Cookie', `sid=${SECRET}; Secure; HttpOnly`).end(),
      )
      const url = `https://www.shop.localhost:${await listenForTest(secure)}/`
      const folder = openFolderOfTest()
      const ran = await runProgram(['rehearse', url, ...HEADLESS, ...trust], {
        env: { TMPDIR: folder },
      })
      expect([ran.code, ran.stdout + ran.stderr]).toEqual([code, expect.stringContaining(message)])
    },
    120_000,
  )

  it.each(['SIGINT', 'SIGHUP'] as const)(
    'leaves no profile behind after %s',
    async (signal) => {
      const folder = openFolderOfTest()
      const program = startProgram(['rehearse', 'http://www.shop.localhost:9/', ...HEADLESS], {
        env: { TMPDIR: folder },
      })
      await until(() => readdirSync(folder).length > 0)
      program.signal(signal)
      expect(await program.ended()).toBe(130)
      expect(readdirSync(folder)).toEqual([])
    },
    120_000,
  )

  it('says what a browser may lack that did not start', async () => {
    const folder = openFolderOfTest()
    const words = ['rehearse', 'http://x/', '--headless', '--browser', '/bin/true']
    const { code, stderr } = await runProgram(words, { env: { TMPDIR: folder } })
    const advice = 'root and containers need --no-sandbox, a machine without a display --headless'
    expect([code, stderr]).toEqual([3, expect.stringContaining(advice)])
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('arguments of rehearse', () => {
  it.each([
    ['', 'name the URL of a page of your site'],
    ['ftp://x/ --headless', 'is not an http or https URL'],
    ['http://x/', 'there is no terminal at which to press Enter: add --headless'],
    ['http://x/ --headless --prefix x', 'command line --prefix'],
    ['http://x/ --headless --browser /nowhere', 'no Chromium or Chrome was found'],
    ['http://x/ --headless --write here.json', 'here.json exists already'],
    [
      'http://x/ --headless --config secret.json',
      'secret.json:1:13 /points/0: this is not a continuation point',
    ],
    ['http://x/ --headless', 'install one (apt install chromium, brew install --cask google-chrome, winget'],
  ])('%j is refused', async (words, message) => {
    const secret = `{"points": ["http://user:${SECRET}@x/"]}`
    const planted = { './chromium': '', '\\Google\\Chrome\\Application\\chrome.exe': '' }
    const io = fakeIo({ ...planted, 'here.json': '', 'secret.json': secret })
    const { code, stderr } = await runCommand(`rehearse ${words}`.trim(), { ...io, env: { PATH: '/none:.' } })
    expect([code, stderr.includes(SECRET), stderr]).toEqual([2, false, expect.stringContaining(message)])
  })

  it.each([
    [{ PATH: '/usr/bin:/opt/x' }, '/opt/x/google-chrome'],
    [{ PATH: '', CHROME_PATH: '/opt/own' }, '/opt/own'],
    [{ ProgramFiles: 'C:\\Programs' }, 'C:\\Programs\\Microsoft\\Edge\\Application\\msedge.exe'],
    [{}, '/Applications/Chromium.app/Contents/MacOS/Chromium'],
  ])('of %j takes %s', async (env, path) => {
    const { code } = await runCommand('rehearse http://x/ --headless', fakeIo({ [path]: '' }, env))
    expect(code).toBe(3)
  })
})
