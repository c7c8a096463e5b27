import { setTimeout as wait } from 'node:timers/promises'
import type { Chromium, EventParameters } from './chromium.ts'
import { openTab, type Tab } from './tab.ts'

/** What became of the request to a point from one page. */
export interface Answer {
  readonly page: string
  readonly point: string
  status?: number
  /** What the browser recorded; absent if no request left it. */
  cookies?: EventParameters['associatedCookies']
  /** What would stop the widget, in a sentence between the page and the point. */
  stop?: string
}

/**
 * Asks each point from a page, as the widget would: one credentialed `fetch`, whose query says who asks. Without a tab that
 * shows the page, or where the page prevents that, an empty document at the page's URL asks.
 */
export async function askPoints(browser: Chromium, points: readonly string[], page: string, tab?: Tab) {
  const answers = points.map((point): Answer => ({ page, point }))
  if (tab !== undefined) await ask(tab, answers)
  const unasked = answers.filter(({ cookies }) => cookies === undefined)
  if (unasked.length === 0) return answers
  const empty = await openTab(browser)
  await empty.loadEmpty(page)
  await ask(empty, unasked)
  for (const answer of unasked) {
    const isMixed = page.startsWith('https:') && answer.point.startsWith('http:')
    if (answer.cookies === undefined) answer.stop = isMixed ? MIXED_CONTENT : UNREACHABLE
    else if (tab !== undefined) answer.stop = STOPPED_BY_PAGE
  }
  return answers
}

async function ask({ listen, run }: Tab, answers: readonly Answer[]) {
  const parts = new Map<string, Partial<Answer> & { readonly url?: string }>()
  // What belongs to a request may come before the request itself.
  const add = (event: string, read: (given: EventParameters) => object) =>
    listen(event, (given) => {
      parts.set(given.requestId, { ...parts.get(given.requestId), ...read(given) })
    })
  add('Network.requestWillBeSent', ({ request }) => ({ url: request.url }))
  add('Network.requestWillBeSentExtraInfo', ({ associatedCookies }) => ({ cookies: associatedCookies }))
  // Without CORS fields a response fails for the page, but the browser has it.
  add('Network.responseReceivedExtraInfo', ({ statusCode }) => ({ status: statusCode }))
  await run(`(${QUESTION})(${JSON.stringify(answers.map(({ point }) => point))})`)
  await wait(GRACE_MS)
  for (const { url = '', ...part } of parts.values())
    Object.assign(answers[Number(url.split(QUERY)[1])] ?? {}, part)
}

const STOPPED_BY_PAGE =
  'the page (its Content-Security-Policy, its service worker or a script) would stop the widget at'
const MIXED_CONTENT = 'the browser would stop the widget, since the page is https, at'
const UNREACHABLE = 'the browser can’t reach'

const QUERY = '?asked-by=continuation-point-rehearse&n='

/** Runs in the page. */
const QUESTION = `(points) => Promise.allSettled(points.map((point, at) => fetch(point + '${QUERY}' + at,
  { credentials: 'include', cache: 'no-store', redirect: 'manual', signal: AbortSignal.timeout(10_000) }))).then(() => {})`

const GRACE_MS = 300
