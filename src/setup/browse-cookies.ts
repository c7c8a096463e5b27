import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type FoundScope, keepLast } from '../scopes/found-scope.ts'

interface Browsing {
  readonly url: string
  readonly executable: string
  readonly isHeadless: boolean
  readonly hasSandbox: boolean
  /** Of a key that is trusted without a known certificate: SHA-256 of its SubjectPublicKeyInfo, in base64. */
  readonly keyHash: string | undefined
}

/**
 * Opens the URL in a browser with a new profile, and collects the scopes of all cookies that it has until `done`
 * resolves. Cookie values are dropped as soon as they are read: only names and attributes are kept.
 *
 * @param done resolves when the user is ready; the signal is aborted when the last window is closed
 * @returns the scopes, or why it failed, as a sentence
 */
export async function browseCookies(
  browsing: Browsing,
  done: (closed: AbortSignal) => Promise<void>,
): Promise<readonly FoundScope[] | string> {
  const browser = await launch(browsing)
  if (typeof browser === 'string') return browser
  try {
    const context = await browser.newContext(browsing.isHeadless ? {} : { viewport: null })
    const seen = await visit(browser, context, browsing, done)
    return typeof seen === 'string' ? seen : keepLast(seen)
  } finally {
    await browser.close().catch(() => {})
  }
}

async function launch({ executable, isHeadless, hasSandbox, keyHash }: Browsing): Promise<Browser | string> {
  const playwright = await import('playwright-core').catch(() => undefined)
  if (playwright === undefined) return MISSING
  try {
    return await playwright.chromium.launch({
      executablePath: executable,
      headless: isHeadless,
      chromiumSandbox: hasSandbox,
      args: [
        ...['--no-first-run', '--no-default-browser-check'],
        ...(keyHash === undefined ? [] : [`--ignore-certificate-errors-spki-list=${keyHash}`]),
      ],
    })
  } catch (error) {
    return toLaunchFault(executable, error instanceof Error ? error.message : '')
  }
}

async function visit(
  browser: Browser,
  context: BrowserContext,
  { url, isHeadless }: Browsing,
  done: (closed: AbortSignal) => Promise<void>,
): Promise<readonly FoundScope[] | string> {
  const seen: FoundScope[] = []
  const closed = new AbortController()
  // Also reads cookies after each page load, since quitting the browser or logging out removes them.
  const read = async () => void seen.push(...(await readScopes(context).catch(() => [])))
  const watch = (page: Page) => {
    page.on('load', () => void read())
    page.on('close', () => context.pages().length === 0 && closed.abort())
  }
  context.on('page', watch)
  browser.on('disconnected', () => closed.abort())
  const page = await context.newPage()
  const failure = await page.goto(url, { timeout: LOAD_MS }).then(
    () => undefined,
    (error: unknown) => toLoadFault(error instanceof Error ? error.message : ''),
  )
  if (failure !== undefined && isHeadless) return failure
  // Scripts set cookies after the page has loaded. With a window, the user decides when to stop.
  if (isHeadless) await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => {})
  await read()
  if (!isHeadless) {
    await done(closed.signal)
    await read()
  }
  return seen
}

async function readScopes(context: BrowserContext): Promise<readonly FoundScope[]> {
  const cookies = await context.cookies()
  return cookies.map(({ name, domain, path, httpOnly, secure, sameSite }) => ({
    name,
    domain: domain.toLowerCase(),
    path,
    httponly: httpOnly,
    secure,
    sameSite,
  }))
}

/** The browser's messages may contain paths and more, so only known causes are named. */
function toLaunchFault(executable: string, message: string): string {
  const [, next] = LAUNCH_FAULTS.find(([pattern]) => pattern.test(message)) ?? []
  return `${executable} did not start: ${next ?? 'it is not a working Chromium or Chrome. Name another with --browser PATH'}.`
}

function toLoadFault(message: string): string {
  const [code] = /\bERR_[A-Z_]+\b/.exec(message) ?? []
  return `The page did not load${code === undefined ? ' in time' : `: ${code}`}.`
}

const LAUNCH_FAULTS: readonly (readonly [RegExp, string])[] = [
  [
    /root without --no-sandbox|No usable sandbox/,
    'its sandbox can’t run as this user or in this container. Run as another user, or add --no-sandbox',
  ],
  [
    /Missing X server|\$DISPLAY|having a XServer/,
    'there is no display. Run it in a desktop session, or add --headless',
  ],
]

const MISSING =
  'scopes --browse needs the package playwright-core, which is not installed. Install it next to this program (it downloads no browser): npm install playwright-core'

const LOAD_MS = 30_000
const QUIET_MS = 5_000
