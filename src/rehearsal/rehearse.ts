import type { CookieConfig } from '../config/config.ts'
import { redactUrl } from '../http/url.ts'
import { keepLast, onlyOfSites } from '../scopes/found-scope.ts'
import { readCookieList } from '../scopes/json-exports.ts'
import { toFirstConfig } from '../setup/first-config.ts'
import { toHosts, toPages } from '../setup/questions.ts'
import { toSite } from '../site/site.ts'
import { type Answer, askPoints } from './ask-points.ts'
import { BrowserFault, type BrowserSettings, type Chromium, startChromium } from './chromium.ts'
import { judgeOutcome, toKey } from './outcome.ts'
import { openTab } from './tab.ts'
import { compareViews, lookAt, showAgain, type Views, type WholeCookie } from './views.ts'

export interface RehearsalSettings extends BrowserSettings {
  /** Visited in this order; a session starts on the last one. */
  readonly urls: readonly string[]
  /** What the config says. */
  readonly known: Omit<Parameters<typeof toFirstConfig>[0], 'pages' | 'scopes'>
  readonly listed: readonly CookieConfig[]
  /** Resolves when the visitor is ready, or the signal is aborted. Without it the pages are taken as they load. */
  readonly untilReady: ((ended: AbortSignal) => Promise<unknown>) | undefined
}

export type Rehearsal = Exclude<Awaited<ReturnType<typeof rehearse>>, string>

/** Visits a site in a real browser, asks its points, and shows its page as agents would see it; or says why it can't. */
export async function rehearse(settings: RehearsalSettings) {
  const browser = await startChromium(settings)
  if (browser === undefined)
    return `${settings.executable} did not start as Chromium or Chrome. ${START_ADVICE}.`
  const seen: Seen = { pages: new Set(), cookies: [], points: settings.known.points, answers: [] }
  try {
    const fault = await observe(browser, settings, seen)
    if (fault !== undefined) return fault
  } catch (error) {
    // What was seen until the browser ended, or lost a window, is a result too.
    if (!browser.ended.signal.aborted && !(error instanceof BrowserFault)) throw error
  } finally {
    await browser.close()
  }
  const { points, answers, views } = seen
  const draft = draftConfig(settings, seen)
  const judged = judgeOutcome({ ...settings.known, ...settings, ...draft, points, answers })
  const isAsked = (url: string) => answers.some(({ point, stop }) => point === url && stop === undefined)
  const stops = answers.flatMap(({ page, stop, point, cookies }) =>
    stop === undefined || (cookies === undefined && isAsked(point))
      ? []
      : `From ${redactUrl(page)} ${stop} ${point}.`,
  )
  return {
    ...draft,
    /** Sentences that come first: what stops the widget, and what the config and `check` say otherwise. */
    warnings: [...stops, ...judged.differences],
    pages: [...new Set([...seen.pages].map(redactUrl))],
    points: points.map((url) => ({ url, status: answers.find(({ point }) => point === url)?.status })),
    ...{ cookies: judged.cookies, views, comparison: views && compareViews(views) },
  }
}

/** What was seen until the browser ended. */
interface Seen {
  readonly pages: Set<string>
  cookies: readonly WholeCookie[]
  points: readonly string[]
  readonly answers: Answer[]
  views?: Views
}

async function observe(browser: Chromium, settings: RehearsalSettings, seen: Seen) {
  const { urls } = settings
  const tab = await visit(browser, settings, seen)
  if (typeof tab === 'string') return tab
  await tab.hold()
  seen.cookies = (await browser.send<Cookies>('Storage.getCookies')).cookies
  const page = (await tab.run<string>('location.href')) ?? ''
  const shown = await lookAt(tab)
  if (shown === undefined) return `${redactUrl(page)} could not be read.`
  if (!isOfSites(page, urls))
    return `The visit ended at ${redactUrl(page)}, on another site. Without --headless you can sign in there.`
  seen.pages.add(page)
  const { made } = draftConfig(settings, seen)
  if (seen.points.length === 0 && typeof made === 'string') return made
  if (seen.points.length === 0 && typeof made === 'object') seen.points = made.points
  // Browsers treat the pages of an origin alike.
  const byOrigin = new Map([...seen.pages, page].map((each) => [new URL(each).origin, each]))
  for (const each of byOrigin.values())
    seen.answers.push(...(await askPoints(browser, seen.points, each, each === page ? tab : undefined)))
  const sent = seen.answers.flatMap(({ cookies = [], stop }) => (stop === undefined ? cookies : []))
  const attached = new Set(sent.flatMap((each) => (each.blockedReasons.length > 0 ? [] : toKey(each.cookie))))
  const ofPage = await tab.call<Cookies>('Network.getCookies', { urls: [page] })
  const readable = ofPage.cookies.filter(({ httpOnly }) => !httpOnly)
  const carried = [...seen.cookies.filter((cookie) => attached.has(toKey(cookie))), ...readable]
  const url = withCredentials(page, urls)
  const [withPoints, withoutPoints] = await Promise.all(
    [carried, readable].map((cookies) => showAgain(browser, url, cookies, shown.carried)),
  )
  if (withPoints && withoutPoints) seen.views = { visitor: shown.view, withPoints, withoutPoints }
  return undefined
}

/** The tab of the page where a session starts; or why there is none. */
async function visit(browser: Chromium, { urls, untilReady }: RehearsalSettings, seen: Seen) {
  const { send, ended } = browser
  let targetId: string | undefined
  const look = async () => {
    const { targetInfos } = await send<Targets>('Target.getTargets')
    const tabs = targetInfos.filter(({ type }) => type === 'page')
    // On macOS a browser goes on without a window.
    if (tabs.length === 0) ended.abort()
    for (const tab of tabs) {
      if (seen.pages.has(tab.url) || !isOfSites(tab.url, urls)) continue
      seen.pages.add(tab.url)
      targetId = tab.targetId
    }
    seen.cookies = (await send<Cookies>('Storage.getCookies')).cookies
  }
  const first = await openTab(browser)
  for (const url of urls) {
    const fault = await first.load(url)
    if (fault !== undefined && untilReady === undefined) return `${redactUrl(url)} did not load: ${fault}.`
    await look()
  }
  if (untilReady === undefined) return first
  // The visitor, not this program, answers the dialogs of pages.
  await first.detach()
  // The window may be closed at any time.
  const timer = setInterval(() => void look().catch(() => {}), LOOKING_MS)
  await untilReady(ended.signal)
  clearInterval(timer)
  await look()
  return openTab(browser, targetId === undefined ? {} : { targetId })
}

/** The config that the cookies so far lead to, without values, and only with those of the sites. */
function draftConfig({ urls, known }: RehearsalSettings, { pages, cookies }: Seen) {
  const list = readCookieList(cookies.map(({ partitionKey, ...cookie }) => cookie))
  const { scopes, notes } = onlyOfSites(list ?? { scopes: [], notes: [] }, toHosts(urls))
  const origins = toPages([...pages])
  const made = toFirstConfig({ ...known, pages: origins, scopes })
  return { scopes: keepLast(scopes), notes, origins, made }
}

function isOfSites(page: string, urls: readonly string[]): boolean {
  const sites = toHosts(urls).map(toSite)
  return /^https?:/.test(page) && sites.includes(toSite(new URL(page).hostname))
}

/** With the user name and password of the URL that was given, which the browser does not tell. */
function withCredentials(page: string, urls: readonly string[]): string {
  const [url, ...given] = [page, ...urls].map((each) => new URL(each)) as [URL, ...URL[]]
  const { username, password } = given.find(({ origin }) => origin === url.origin) ?? url
  return Object.assign(url, { username, password }).href
}

type Targets = { targetInfos: readonly { targetId: string; type: string; url: string }[] }
type Cookies = { cookies: readonly WholeCookie[] }

const START_ADVICE =
  'Root and containers need --no-sandbox, a machine without a display --headless; --browser PATH names another'
const LOOKING_MS = 500
