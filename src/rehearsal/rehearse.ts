import { parseUrl, redactUrl } from '../http/url.ts'
import { toHosts } from '../setup/questions.ts'
import { toSite } from '../site/site.ts'
import { askPoints } from './ask-points.ts'
import { type BrowserCookie, BrowserFault, type Chromium } from './chromium.ts'
import { draftConfig, judgeOutcome, type Known, type Seen } from './outcome.ts'
import { openTab, type Tab } from './tab.ts'
import { compareViews, lookAt, showAgain, type Views } from './views.ts'

export type Rehearsal = Exclude<Awaited<ReturnType<typeof rehearse>>, string>

/**
 * Visits a site in a real browser, asks its points, and shows its page as agents would see it; or says why it can't.
 *
 * @param urls visited in this order; a session starts on the last one
 * @param untilReady resolves when the visitor is ready, or the signal is aborted; without it pages are taken as they load
 */
export async function rehearse(
  browser: Chromium,
  urls: readonly string[],
  config: Known,
  untilReady?: UntilReady,
) {
  const seen: Seen = { pages: new Map(), cookies: [], answers: [] }
  let views: Views | string | undefined
  try {
    const tab = await visit(browser, urls, seen, untilReady)
    views = typeof tab === 'string' ? tab : await observe(browser, urls, config, seen, tab)
  } catch (error) {
    if (!browser.ended.signal.aborted && !(error instanceof BrowserFault)) throw error
    if (seen.pages.size === 0) return NO_PAGE
    // What was seen until the browser ended, or lost a window, is a result too.
  } finally {
    await browser.close()
  }
  if (typeof views === 'string') return views
  const { differences, points, ...outcome } = judgeOutcome(urls, config, seen)
  const shown = views?.visitor.status ?? 0
  const statusOf = (url: string) => seen.answers.find(({ point }) => point === url)?.statusCode
  return {
    ...{ ...outcome, views, comparison: views && compareViews(views) },
    /** Sentences that come first: what stops the widget, and what the config and `check` say otherwise. */
    warnings: [
      ...(outcome.cookies.length === 0 ? [NO_COOKIES] : []),
      ...(shown > 399 ? [`The page answered ${shown}.`] : []),
      ...seen.answers.flatMap(({ stop }) => stop ?? []),
      ...differences,
    ],
    pages: [...new Set([...seen.pages.keys()].map(redactUrl))],
    points: points.map((url) => ({ url, status: statusOf(url) })),
  }
}

/** The three views of the page; or why there are none. */
async function observe(browser: Chromium, urls: readonly string[], config: Known, seen: Seen, tab: Tab) {
  const page = await tab.read<string>('location.href')
  const visitor = await lookAt(tab)
  if (page === undefined || visitor === undefined)
    return `${redactUrl(page ?? urls.at(-1) ?? '')} could not be read.`
  if (!isOfSites(page, urls))
    return `The visit ended at ${redactUrl(page)}, on another site. Without --headless you can sign in there.`
  const { points, made } = draftConfig(urls, config, seen)
  if (points.length === 0 && typeof made === 'string') return made
  // Browsers treat the pages of an origin alike.
  const byOrigin = new Map([...seen.pages.keys(), page].map((each) => [new URL(each).origin, each]))
  for (const each of byOrigin.values())
    seen.answers.push(...(await askPoints(browser, points, each, each === page ? tab : undefined)))
  const asked = seen.answers.flatMap(({ associatedCookies = [], stop }) => (stop ? [] : associatedCookies))
  const attached = asked.flatMap(({ cookie, blockedReasons }) => (blockedReasons.length > 0 ? [] : cookie))
  const ofPage = await tab.call<Cookies>('Network.getCookies', { urls: [page] })
  const readable = ofPage.cookies.filter(({ httpOnly }) => !httpOnly)
  // The browser does not tell the user name and password of a page.
  const given = urls.find((url) => new URL(url).origin === new URL(page).origin)
  const { username, password } = new URL(given ?? page)
  const { href } = Object.assign(new URL(page), { username, password })
  const show = (cookies: typeof readable) => showAgain(browser, href, cookies, visitor.carried)
  const [withPoints, withoutPoints] = await Promise.all([show([...attached, ...readable]), show(readable)])
  return withPoints && withoutPoints && { visitor, withPoints, withoutPoints }
}

/** The tab of the page where a session starts, which stays there; or why there is none. */
async function visit(browser: Chromium, urls: readonly string[], seen: Seen, untilReady?: UntilReady) {
  const { send, ended } = browser
  const look = async () => {
    const { cookies } = await send<Cookies>('Storage.getCookies')
    const { targetInfos } = await send<Targets>('Target.getTargets', { filter: [{ type: 'page' }] })
    // On macOS a browser goes on without a window; elsewhere it has no cookies any more.
    if (targetInfos.length === 0) return ended.abort()
    seen.cookies = cookies
    for (const { url, targetId } of targetInfos)
      if (!seen.pages.has(url) && isOfSites(url, urls)) seen.pages.set(url, targetId)
  }
  await send('Browser.setDownloadBehavior', { behavior: 'deny' })
  let tab = await openTab(browser)
  // The first load of a page may set cookies that the next ones have, as those of agents do.
  for (const url of untilReady === undefined ? [...urls, ...urls.slice(-1)] : urls) {
    const fault = await tab.load(url)
    const hint = HINTS.find(([code]) => fault?.includes(code))?.[1] ?? ''
    if (fault !== undefined && untilReady === undefined)
      return `${redactUrl(url)} did not load: ${fault}${hint}.`
    await look()
  }
  if (untilReady !== undefined) {
    // The visitor, not this program, answers the dialogs of pages.
    await tab.detach()
    // The window may be closed at any time.
    const timer = setInterval(() => void look().catch(() => {}), LOOKING_MS)
    await untilReady(ended.signal)
    clearInterval(timer)
    await look()
    tab = await openTab(browser, {}, [...seen.pages.values()].at(-1))
  }
  await tab.hold()
  await look()
  return tab
}

function isOfSites(page: string, urls: readonly string[]): boolean {
  // Chromium has pages on hosts that are none here, such as xn--a.
  const host = /^https?:/.test(page) ? parseUrl(page)?.hostname : undefined
  return host !== undefined && toHosts(urls).map(toSite).includes(toSite(host))
}

type UntilReady = (ended: AbortSignal) => unknown
type Targets = { targetInfos: readonly { targetId: string; url: string }[] }
type Cookies = { cookies: readonly BrowserCookie[] }

const NO_PAGE =
  'The browser showed no page of the site. If it did not start: root and containers need --no-sandbox, a machine without a display --headless; --browser PATH names another.'
const NO_COOKIES =
  'No cookies were seen: were you signed in? (--headless fills in no form: a URL has to do it.)'
const HINTS = [
  ['CERT_AUTHORITY', ' (name your own authority with --ca-file)'],
  ['SSL_PROTOCOL', ' (is it http:// there?)'],
] as const
const LOOKING_MS = 500
