import type { CookieConfig } from '../config/config.ts'
import { parseHttpUrl, redactUrl } from '../http/url.ts'
import { type FoundScope, keepLast, onlyOfSites } from '../scopes/found-scope.ts'
import { toFirstConfig } from '../setup/first-config.ts'
import { toPages } from '../setup/questions.ts'
import { toSite } from '../site/site.ts'
import { type Answer, askPoints } from './ask-points.ts'
import { type BrowserSettings, type Chromium, startChromium } from './chromium.ts'
import { judgeOutcome } from './outcome.ts'
import { type Tab, watchTabs } from './tabs.ts'
import { compareViews, lookAt, setSize, showAgain, type View, type WholeCookie } from './views.ts'

export interface RehearsalSettings extends BrowserSettings {
  /** Visited in this order; a session starts on the last one. */
  readonly urls: readonly string[]
  /** What the config says. */
  readonly known: Omit<Parameters<typeof toFirstConfig>[0], 'pages' | 'scopes'>
  readonly listed: readonly CookieConfig[]
  /** At a window: resolves when the visitor is ready, or the signal is aborted. */
  readonly untilReady: ((ended: AbortSignal) => Promise<unknown>) | undefined
  readonly onProgress: (text: string) => void
}

export type Rehearsal = Exclude<Awaited<ReturnType<typeof rehearse>>, string>

/** What was seen until the browser ended. */
interface Seen {
  /** The last URL on each origin of the sites, by origin; the latest is last. */
  readonly visited: Map<string, string>
  cookies: readonly WholeCookie[]
  points: readonly string[]
  answers: readonly Answer[]
  views?: Readonly<Record<'visitor' | 'withPoints' | 'withoutPoints', View>>
}

/** Visits a site in a real browser, asks its points, and shows its page as agents would see it; or says why it can't. */
export async function rehearse(settings: RehearsalSettings) {
  const { known, listed, urls } = settings
  const browser = await startChromium(settings)
  if (typeof browser === 'string') return browser
  const seen: Seen = {
    visited: new Map(),
    cookies: [],
    points: known.points,
    answers: [],
  }
  try {
    const fault = await observe(browser, settings, seen)
    if (fault !== undefined) return fault
  } catch (error) {
    if (!browser.ended.signal.aborted) throw error
  } finally {
    await browser.close()
  }
  const { visited, cookies, points, answers, views } = seen
  const pages = [...visited.values()].map(redactUrl)
  const { scopes, notes } = toScopes(cookies, urls)
  const rehearsed = { prefix: known.prefix, pages: toPages(pages), points, listed, set: scopes, answers }
  return {
    pages,
    points: points.map((url) => describePoint(url, answers)),
    ...judgeOutcome(rehearsed),
    views,
    comparison: views && compareViews(views.visitor, views.withPoints, views.withoutPoints),
    made: toFirstConfig({ ...known, pages: toPages(pages), scopes }),
    notes,
  }
}

async function observe(browser: Chromium, settings: RehearsalSettings, seen: Seen) {
  const { urls, isHeadless, untilReady, onProgress, known } = settings
  const { send } = browser
  const sites = new Set(urls.map((url) => toSite(new URL(url).hostname)))
  let last: Tab | undefined
  let isVisiting = true
  const tabs = await watchTabs(browser, isHeadless, (tab) => {
    const url = parseHttpUrl(tab.url)
    if (!isVisiting || !tab.isVisitors || url === undefined || !sites.has(toSite(url.hostname))) return
    last = tab
    seen.visited.delete(url.origin)
    seen.visited.set(url.origin, url.href)
  })
  const readCookies = async () => {
    seen.cookies = (await send<{ cookies: readonly WholeCookie[] }>('Storage.getCookies')).cookies
  }
  if (isHeadless) await setSize(browser, tabs.first, [1280, 800])
  for (const url of urls) {
    onProgress(redactUrl(url))
    const fault = await tabs.load(tabs.first, url)
    if (fault !== undefined && isHeadless) return `${redactUrl(url)} did not load: ${fault}.`
  }
  await readCookies()
  // The window may be closed at any time.
  const timer = setInterval(() => void readCookies().catch(() => {}), READING_MS)
  await untilReady?.(browser.ended.signal).finally(() => clearInterval(timer))
  clearInterval(timer)
  isVisiting = false
  await readCookies()
  const shown = tabs.list().find((tab) => tab === (isHeadless ? tabs.first : last)) ?? tabs.first
  const url = parseHttpUrl(shown.url)
  if (url === undefined || seen.visited.get(url.origin) === undefined)
    return `The visit ended at ${redactUrl(shown.url)}, on another site${isHeadless ? '. To sign in there, leave out --headless' : ''}.`
  const { view: visitor, carried } = await tabs.hold(shown, () => lookAt(browser, tabs, shown))
  if (known.points.length === 0) {
    const pages = toPages([...seen.visited.values()])
    const made = toFirstConfig({ ...known, pages, scopes: toScopes(seen.cookies, urls).scopes })
    if (typeof made === 'string') return made
    seen.points = made.points
  }
  for (const page of seen.visited.values()) {
    onProgress(`the points, from ${redactUrl(page)}`)
    const open = tabs.list().find((tab) => tab.isVisitors && tab.url === page)
    const tab = open ?? (await tabs.open())
    if (open === undefined) await tabs.load(tab, page)
    seen.answers = [...seen.answers, ...(await askPoints(browser, tabs, tab, seen.points))]
  }
  onProgress('the page as agents see it')
  const params = { urls: [url.href] }
  const { cookies } = await send<{ cookies: readonly WholeCookie[] }>(
    'Network.getCookies',
    params,
    shown.session,
  )
  const readable = cookies.filter(({ httpOnly }) => !httpOnly)
  const attached = seen.cookies.filter((cookie) => isAttached(cookie, seen.answers))
  // With the user name and password that were given.
  const given = urls.map((each) => new URL(each)).find(({ origin }) => origin === url.origin)
  Object.assign(url, { username: given?.username ?? '', password: given?.password ?? '' })
  if (carried === undefined) return `${redactUrl(shown.url)} could not be read.`
  const show = (carrying: readonly WholeCookie[]) => showAgain(browser, tabs, url.href, carrying, carried)
  const [withPoints, withoutPoints] = await Promise.all([show([...attached, ...readable]), show(readable)])
  seen.views = { visitor, withPoints, withoutPoints }
  return undefined
}

function isAttached({ name, domain, path }: WholeCookie, answers: readonly Answer[]): boolean {
  const sent = answers.flatMap(({ cookies = [], stop }) => (stop === undefined ? cookies : []))
  return sent.some(
    ({ cookie, blockedReasons }) =>
      cookie.name === name && cookie.domain === domain && cookie.path === path && blockedReasons.length === 0,
  )
}

/** Without values, and only those of the sites. */
function toScopes(cookies: readonly WholeCookie[], urls: readonly string[]) {
  const scopes = cookies.map(
    ({ name, domain, path, httpOnly: httponly, secure, sameSite }): FoundScope => ({
      ...{ name, domain: domain.toLowerCase(), path, httponly, secure, sameSite },
    }),
  )
  const hosts = urls.map((url) => new URL(url).hostname)
  return onlyOfSites({ scopes: keepLast(scopes), notes: [] }, hosts)
}

function describePoint(url: string, answers: readonly Answer[]) {
  const own = answers.filter(({ point }) => point === url)
  // A site with http and https has a point for the pages of each.
  const isShared = own.some(({ stop }) => stop === undefined)
  const stops = own.flatMap(({ page, stop }) =>
    stop === undefined || (isShared && stop === 'mixed-content') ? [] : [{ page: redactUrl(page), stop }],
  )
  return { url, status: own.find(({ status }) => status !== undefined)?.status, stops }
}

const READING_MS = 1_000
