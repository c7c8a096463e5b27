// Makes the pictures of the documents from today's pages: npm run pictures [-- FOLDER]
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'

/** One cookie has no point. */
const CONFIG = {
  service: { url: 'https://cobrowse.example.net' },
  points: [
    'https://www.example.com/service_cookie_transfer/',
    'https://www.example.com/shop/service_cookie_transfer/',
  ],
  pages: ['https://www.example.com/'],
  cookies: [
    { name: 'sid', domain: 'www.example.com', path: '/', httponly: true },
    { name: 'basket', domain: '.example.com', path: '/shop', httponly: true },
    { name: 'pay', domain: 'pay.example.com', path: '/', httponly: true },
  ],
}

const top = join(import.meta.dirname, '..')
const program = join(top, 'dist/main.js')
const folder = process.argv[2] ?? join(top, 'docs/images')
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) =>
  existsSync(path),
)
const demo = spawn(process.execPath, [program, 'demo'], { stdio: ['ignore', 'pipe', 'inherit'] })
const scratch = mkdtempSync(join(tmpdir(), 'pictures-'))
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, colorScheme: 'light' })
  const page = await context.newPage()
  const shop = await findShop()
  const words = ['rehearse', shop, `${shop}checkout`, '--headless', '--no-sandbox', '--output', scratch]
  spawnSync(process.execPath, [program, ...words])
  await page.goto(pathToFileURL(join(scratch, 'report.html')).href)
  const { y, height } = await page.locator('.views').boundingBox()
  const clip = { x: 0, y: 0, width: 1000, height: y + height + 16 }
  await page.screenshot({ path: join(folder, 'rehearsal.png'), clip })
  await page.goto(pathToFileURL(writeReport()).href)
  await shoot(page, 'cookies', 'figure.map')
  await page.goto(`${shop}service_cookie_transfer/`)
  await page.locator('[data-check="allowed"][data-outcome="pass"]').waitFor()
  await page.screenshot({
    path: join(folder, 'verification.png'),
    clip: { x: 0, y: 0, width: 1000, height: 620 },
  })
  await page.goto(shop)
  await page.getByRole('button', { name: 'Send a wrong widget key' }).click()
  await page.getByRole('link', { name: 'See what check says' }).click()
  await shoot(page, 'check', 'pre.report')
} finally {
  await browser.close()
  rmSync(scratch, { recursive: true })
  demo.kill()
  await once(demo, 'close')
}

async function shoot(page, name, part) {
  const { x, y, width, height } = await page.locator(part).boundingBox()
  const clip = { x: x - 12, y: y - 12, width: width + 24, height: height + 24 }
  await page.screenshot({ path: join(folder, `${name}.png`), clip, fullPage: true })
}

function writeReport() {
  const config = join(scratch, 'config.json')
  writeFileSync(config, JSON.stringify(CONFIG))
  const { stdout } = spawnSync(
    process.execPath,
    [program, 'check', '--offline', '--config', config, '--format', 'html'],
    { encoding: 'utf8' },
  )
  const report = join(scratch, 'report.html')
  writeFileSync(report, stdout)
  return report
}

async function findShop() {
  let printed = ''
  for await (const text of demo.stdout.setEncoding('utf8')) {
    printed += text
    const [, url] = /start a session (\S+)\n/.exec(printed) ?? []
    if (url !== undefined) return url
  }
  throw new Error('The demo did not start')
}
