import type { BrowserContext, Page } from 'playwright-core'
import { type Mode, modes, type OpenBrowser } from './browser-mode.ts'
import type { RecordingSite } from './recording-site.ts'
import { groupVariants, type Variant } from './variant.ts'
import { isOfOneSite, type World } from './world.ts'

/** What the browsers did, for every variant of a listed cookie that a browser of today stores as listed. */
export interface Observed {
  readonly variants: readonly Variant[]
  wasSent(mode: Mode, variant: Variant, page: string, point: string): boolean
}

export async function observeWorld(
  world: World,
  browsers: Readonly<Record<Mode, OpenBrowser>>,
  site: RecordingSite,
): Promise<Observed> {
  const variants = groupVariants(world)
  const sent = new Set<string>()
  let stored: readonly Variant[] = []
  for (const mode of modes) {
    const { context } = browsers[mode]
    const page = await openSettled(context, variants, site)
    // **Ours:** the legacy rules also store SameSite=None without Secure; no browser does so by default any more.
    if (mode === 'allowed') stored = await findStored(context, variants)
    for (const origin of world.pages) {
      const points = world.points.filter((point) => isOfOneSite(origin, point))
      await page.goto(`${origin}/`)
      const at = new URL(page.url()).origin
      if (at !== origin) throw new Error(`The browser went to ${at} instead of ${origin}`)
      const calls = points.map((point, index) => ({ point, id: `${mode} ${index}` }))
      await callPoints(
        page,
        calls.map(({ point, id }) => `${point}?id=${encodeURIComponent(id)}`),
      )
      for (const { point, id } of calls) {
        const names = site.takeNames(id) ?? new Set<string>()
        for (const { name } of variants) if (names.has(name)) sent.add(toKey(mode, name, origin, point))
      }
    }
  }
  return {
    variants: stored,
    wasSent: (mode, { name }, page, point) => sent.has(toKey(mode, name, page, point)),
  }
}

/** The page of a browser with nothing but the variants, each set by its own host in a visit over https. */
async function openSettled(
  context: BrowserContext,
  variants: readonly Variant[],
  site: RecordingSite,
): Promise<Page> {
  await context.clearCookies()
  // A window of its own would cost more than all its visits.
  const [page = await context.newPage()] = context.pages()
  for (const host of new Set(variants.map((variant) => variant.host))) {
    const lines = variants.filter((variant) => variant.host === host).map(({ line }) => line)
    await page.goto(`https://${host}/${site.toQuery(lines)}`)
  }
  return page
}

async function findStored(
  context: BrowserContext,
  variants: readonly Variant[],
): Promise<readonly Variant[]> {
  const jar = await context.cookies()
  return variants.filter(({ name, listed }) =>
    jar.some(
      (cookie) => cookie.name === name && cookie.domain === listed.domain && cookie.path === listed.path,
    ),
  )
}

/** As the widget does: with credentials, across origins. A call that the browser refuses is an observation as well. */
async function callPoints(page: Page, urls: readonly string[]): Promise<void> {
  const call = "(url) => fetch(url, { credentials: 'include', mode: 'no-cors' })"
  await page.evaluate(`Promise.allSettled(${JSON.stringify(urls)}.map(${call})).then(() => {})`)
}

function toKey(mode: Mode, name: string, page: string, point: string): string {
  return JSON.stringify([mode, name, page, point])
}
