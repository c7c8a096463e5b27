// Makes the pictures of the documents from today's pages: npm run pictures [-- FOLDER]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const top = join(import.meta.dirname, '..')
const folder = process.argv[2] ?? join(top, 'docs/images')
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) =>
  existsSync(path),
)
const demo = spawn(process.execPath, [join(top, 'dist/main.js'), 'demo'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 }, colorScheme: 'light' })
  await page.goto(await findPoint())
  await page.waitForSelector('[data-check="origin"]:not([data-waiting])')
  const boxes = await page.locator('.boxes').boundingBox()
  await page.screenshot({
    path: join(folder, 'verification.png'),
    clip: { x: 0, y: 0, width: 1000, height: boxes.y + boxes.height + 12 },
  })
} finally {
  await browser.close()
  demo.kill()
  await once(demo, 'close')
}

async function findPoint() {
  let printed = ''
  for await (const text of demo.stdout.setEncoding('utf8')) {
    printed += text
    const [, url] = /Verify its point on \/ +(\S+)\n/.exec(printed) ?? []
    if (url !== undefined) return url
  }
  throw new Error('The demo did not start')
}
