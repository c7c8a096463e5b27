import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

export const chromiumPath = '/usr/bin/chromium'

/** Headless, without a sandbox, and quiet on the network. */
export const chromiumArguments: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The same engine without windows, which takes a third of the processor's time for a page; it reads no preferences of a user. */
const shellPath = '/usr/bin/chromium-headless-shell'

/** For pages: the shell where it is installed. */
export const pagesPath = existsSync(shellPath) ? shellPath : chromiumPath

/** Whether browser tests report as skipped: only where no browser is installed, and never on CI, where they then fail. */
export const skipsBrowser = !existsSync(chromiumPath) && process.env.CI === undefined

/** Starts a Chromium of its own; names below `localhost` are loopback in it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: pagesPath, args: [...chromiumArguments] })
}
