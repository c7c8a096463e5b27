import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { chromiumArguments, chromiumPath, pagesPath } from '../../sandbox/support/chromium.ts'
import type { RecordingSite } from './recording-site.ts'

/** The cookie settings of a user or an administrator. */
export const modes = ['allowed', 'blocked', 'legacy'] as const

export type Mode = (typeof modes)[number]

/** Third-party cookies allowed or blocked; or the rules from before SameSite=Lax was the default, for every site. */
export const preferences: Readonly<Record<Mode, object>> = {
  allowed: { profile: { cookie_controls_mode: 0 } },
  blocked: { profile: { cookie_controls_mode: 1, block_third_party_cookies: true } },
  legacy: {
    profile: { cookie_controls_mode: 0, default_content_setting_values: { legacy_cookie_access: 1 } },
  },
}

export interface OpenBrowser {
  readonly context: BrowserContext
  close(): Promise<void>
}

/** A Chromium in which every host is the recording site, on the default ports and on 8080 and 8443. */
export async function openBrowser(mode: Mode, site: RecordingSite): Promise<OpenBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'continuation-point-chromium-'))
  await mkdir(join(folder, 'Default'))
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences[mode]))
  const rules = [
    ...['80', '8080'].map((port) => `MAP *:${port} 127.0.0.1:${site.httpPort}`),
    ...['443', '8443'].map((port) => `MAP *:${port} 127.0.0.1:${site.httpsPort}`),
  ]
  const context = await chromium.launchPersistentContext(folder, {
    // The shell has no settings.
    executablePath: mode === 'allowed' ? pagesPath : chromiumPath,
    ignoreHTTPSErrors: true,
    args: [
      ...chromiumArguments,
      '--ignore-certificate-errors',
      '--disable-features=HttpsUpgrades',
      `--host-resolver-rules=${rules.join(', ')}`,
    ],
  })
  return {
    context,
    close: async () => {
      await context.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
