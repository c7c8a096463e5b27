import { setTimeout as wait } from 'node:timers/promises'
import type { Chromium, CookieRecord } from './chromium.ts'
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
  policy: 'the page’s Content-Security-Policy (connect-src) would stop the widget at',
  'mixed-content': 'the browser would stop the widget, since the page is https, at',
  'service-worker': 'the page’s service worker answers in place of',
  unreachable: 'the browser can’t reach',
  page: 'the page keeps scripts from asking',
} as const

/**
 * Asks each point from the document in this tab, as the widget would: one credentialed `fetch`, whose query says who asks.
 * Where the page prevents that, it asks once more from a tab in which policy and service worker don't count.
 */
export async function askPoints(browser: Chromium, tabs: Tabs, tab: Tab, points: readonly string[]) {
  const answers = await tabs.hold(tab, () => ask(browser, tab, points, false))
  const stopped = answers.filter(
    ({ cookies, stop }) => cookies === undefined && stop !== 'unreachable' && stop !== 'mixed-content',
  )
  if (stopped.length === 0) return answers
  const past = await tabs.open()
  await browser.send('Page.setBypassCSP', { enabled: true }, past.session)
  await browser.send('Network.setBypassServiceWorker', { bypass: true }, past.session)
  await tabs.load(past, answers[0]?.page ?? '')
  const second = await tabs.hold(past, () => ask(browser, past, points, true))
  for (const answer of stopped) {
    const { stop, ...found } = second[answers.indexOf(answer)] ?? {}
    Object.assign(answer, found, { stop: answer.stop ?? stop ?? 'page' })
  }
  await browser.send('Target.closeTarget', { targetId: past.id })
  return answers
}

/** @param isApart in a world of its own a script has the browser's `fetch`, which pages may replace in theirs */
async function ask(
  { send, on }: Chromium,
  { session, id, url: page }: Tab,
  points: readonly string[],
  isApart: boolean,
): Promise<readonly Answer[]> {
  const answers = points.map((point): Answer => ({ page, point }))
  const find = (url: string) => answers[Number(QUERY.exec(url)?.[1] ?? -1)]
  const asked = new Map<string, Answer>()
  const parts = new Map<string, Partial<Answer>>()
  // What belongs to a request may come before the request itself.
  const add = (id: string, part: Partial<Answer>) => parts.set(id, { ...part, ...parts.get(id) })
  on(
    'Network.requestWillBeSent',
    ({ requestId, request }) => {
      const answer = find(request.url)
      if (answer !== undefined) asked.set(requestId, answer)
    },
    session,
  )
  const onPart = (event: string, read: (given: Parameters<Parameters<typeof on>[1]>[0]) => Partial<Answer>) =>
    on(event, (given) => add(given.requestId, read(given)), session)
  onPart('Network.requestWillBeSentExtraInfo', ({ associatedCookies }) => ({ cookies: associatedCookies }))
  onPart('Network.responseReceivedExtraInfo', ({ statusCode: status }) => ({ status }))
  onPart('Network.responseReceived', ({ response }) =>
    response.fromServiceWorker ? { stop: 'service-worker' } : {},
  )
  onPart('Network.loadingFailed', ({ blockedReason }) => ({
    stop:
      blockedReason === undefined
        ? 'unreachable'
        : blockedReason === 'mixed-content'
          ? blockedReason
          : 'policy',
  }))
  const evaluate = async () => {
    const world = { frameId: id, worldName: 'continuation-point' }
    const { executionContextId: contextId } = isApart
      ? await send<{ executionContextId: number }>('Page.createIsolatedWorld', world, session)
      : { executionContextId: undefined }
    const expression = `(${QUESTION})(${JSON.stringify(points)})`
    const params = { expression, awaitPromise: true, returnByValue: true, contextId }
    const { result } = await send<{ result: { value?: readonly string[] } }>(
      'Runtime.evaluate',
      params,
      session,
    )
    for (const url of result.value ?? []) Object.assign(find(url) ?? {}, { stop: 'policy' })
  }
  await Promise.race([evaluate().catch(() => {}), wait(LATE_MS, undefined, { ref: false })])
  await wait(GRACE_MS)
  for (const [id, answer] of asked) {
    const { cookies, status, stop } = parts.get(id) ?? {}
    // Without CORS fields a response fails for the page, but the request was sent.
    Object.assign(answer, cookies === undefined ? { stop: stop ?? 'page' } : { cookies, status })
  }
  return answers
}

/** Runs in the page; resolves with the URLs that its policy refused. */
const QUESTION = `async (points) => {
  const refused = []
  document.addEventListener('securitypolicyviolation', (event) => refused.push(event.blockedURI))
  await Promise.allSettled(points.map((point, n) => fetch(point + '?asked-by=continuation-point-rehearse&n=' + n, {
    credentials: 'include', cache: 'no-store', redirect: 'manual', signal: AbortSignal.timeout(10_000),
  })))
  // The event of a violation comes after the failure.
  await new Promise((resolve) => setTimeout(resolve, 50))
  return refused
}`

const QUERY = /\?asked-by=continuation-point-rehearse&n=(\d+)$/
const LATE_MS = 11_000
const GRACE_MS = 300
