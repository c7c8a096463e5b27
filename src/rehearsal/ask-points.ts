import { setTimeout as wait } from 'node:timers/promises'
import type { Chromium, CookieRecord, EventParameters } from './chromium.ts'
import type { Tab, Tabs } from './tabs.ts'

/** What became of the request to a point from one page. */
export interface Answer {
  readonly page: string
  readonly point: string
  status?: number
  /** Absent if no request left the browser. */
  cookies?: readonly CookieRecord[]
  /** What would stop the widget. `cookies` then come from a second question, which looks past it. */
  stop?: keyof typeof STOPS
}

/** What stops the widget, between the page and the point, in a sentence. */
export const STOPS = {
  page: 'the page (its Content-Security-Policy, or a script) would stop the widget at',
  'mixed-content': 'the browser would stop the widget, since the page is https, at',
  'service-worker': 'the page’s service worker answers in place of',
  unreachable: 'the browser can’t reach',
} as const

/**
 * Asks each point from the document in this tab, as the widget would: one credentialed `fetch`, whose query says who asks.
 * Where the page prevents that, it asks once more from a tab in which policy and service worker don't count.
 */
export async function askPoints(browser: Chromium, tabs: Tabs, tab: Tab, points: readonly string[]) {
  const answers = await tabs.hold(tab, () => ask(browser.on, tabs, tab, points, 'page'))
  const stopped = answers.filter(
    ({ cookies, stop }) => cookies === undefined && stop !== 'unreachable' && stop !== 'mixed-content',
  )
  if (stopped.length === 0) return answers
  const again = stopped.map(({ point }) => point)
  const past = await tabs.open()
  await browser.send('Page.setBypassCSP', { enabled: true }, past.session)
  await browser.send('Network.setBypassServiceWorker', { bypass: true }, past.session)
  await tabs.load(past, answers[0]?.page ?? '')
  const second = await tabs.hold(past, () => ask(browser.on, tabs, past, again, 'apart'))
  for (const [index, answer] of stopped.entries()) {
    const { stop, ...found } = second[index] ?? {}
    Object.assign(answer, found, { stop: answer.stop ?? stop ?? 'page' })
  }
  await browser.send('Target.closeTarget', { targetId: past.id })
  return answers
}

async function ask(
  on: Chromium['on'],
  tabs: Tabs,
  tab: Tab,
  points: readonly string[],
  world: 'page' | 'apart',
): Promise<readonly Answer[]> {
  const { session, url: page } = tab
  const answers = points.map((point): Answer => ({ page, point }))
  const find = (url: string) => answers[Number(QUERY.exec(url)?.[1] ?? -1)]
  const parts = new Map<string, Partial<Answer> & { readonly answer?: Answer | undefined }>()
  // What belongs to a request may come before the request itself.
  const add = (event: string, read: (given: EventParameters) => object | false | undefined) =>
    on(
      event,
      (given) => parts.set(given.requestId, { ...read(given), ...parts.get(given.requestId) }),
      session,
    )
  add('Network.requestWillBeSent', ({ request }) => ({ answer: find(request.url) }))
  add('Network.requestWillBeSentExtraInfo', ({ associatedCookies: cookies }) => ({ cookies }))
  add('Network.responseReceivedExtraInfo', ({ statusCode: status }) => ({ status }))
  add('Network.responseReceived', ({ response }) => response.fromServiceWorker && { stop: 'service-worker' })
  add('Network.loadingFailed', ({ blockedReason: stop = 'unreachable' }) => ({
    stop: stop === 'unreachable' || stop === 'mixed-content' ? stop : 'page',
  }))
  await tabs.run(tab, `(${QUESTION})(${JSON.stringify(points)})`, world)
  await wait(GRACE_MS)
  // Without CORS fields a response fails for the page, but the request was sent.
  for (const { answer, cookies, status, stop = 'page' } of parts.values())
    Object.assign(answer ?? {}, cookies === undefined ? { stop } : { cookies, status })
  return answers
}

/** Runs in the page. */
const QUESTION = `(points) => Promise.allSettled(points.map((point, n) =>
  fetch(point + '?asked-by=continuation-point-rehearse&n=' + n, {
    credentials: 'include', cache: 'no-store', redirect: 'manual', signal: AbortSignal.timeout(10_000),
  }))).then(() => {})`

const QUERY = /\?asked-by=continuation-point-rehearse&n=(\d+)$/
const GRACE_MS = 300
