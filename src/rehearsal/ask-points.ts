import { setTimeout as wait } from 'node:timers/promises'
import { redactUrl } from '../http/url.ts'
import type { Chromium, EventParameters } from './chromium.ts'
import { openTab, type Tab } from './tab.ts'

/** What the browser recorded of the request to a point from one page; without cookies if no request left it. */
export interface Answer extends Partial<EventParameters> {
  readonly page: string
  readonly point: string
  /** What would stop the widget, as a sentence. */
  stop?: string
}

/**
 * Asks each point from a page, as the widget would: one credentialed `fetch`, whose query says who asks. Without a tab that
 * shows the page, or where the page prevents that, an empty document at the page's URL asks.
 */
export async function askPoints(browser: Chromium, points: readonly string[], page: string, tab?: Tab) {
  const answers = points.map((point): Answer => ({ page, point }))
  if (tab !== undefined) await ask(tab, answers)
  const unasked = answers.filter(({ associatedCookies }) => associatedCookies === undefined)
  if (unasked.length === 0) return answers
  const empty = await openTab(browser)
  await empty.loadEmpty(page)
  await ask(empty, unasked)
  for (const answer of unasked) {
    const isMixed = page.startsWith('https:') && answer.point.startsWith('http:')
    const reason = isMixed ? MIXED_CONTENT : 'the browser can’t reach'
    const isReached = answer.associatedCookies !== undefined
    if (!isReached || tab !== undefined)
      answer.stop = isReached
        ? `The page ${redactUrl(page)} stops the widget’s requests to ${answer.point}: ${STOPPERS}`
        : `From ${redactUrl(page)} ${reason} ${answer.point}.`
  }
  return answers
}

async function ask({ call, listen, run }: Tab, answers: readonly Answer[]) {
  const requests = new Map<string, EventParameters>()
  // Events of a request may come before the request itself, and those of a redirect's target after it. Without CORS fields a
  // response fails for the page, but the browser has it.
  for (const event of ['requestWillBeSent', 'requestWillBeSentExtraInfo', 'responseReceivedExtraInfo'])
    listen(`Network.${event}`, (given) => {
      const known = requests.get(given.requestId)
      if (known || requests.size < MOST_REQUESTS) requests.set(given.requestId, { ...given, ...known })
    })
  // Only meanwhile, and only so many, since a page may send itself more than this program can hold.
  await call('Network.enable')
  await run(`(${QUESTION})(${JSON.stringify(answers.map(({ point }) => point))})`)
  await wait(GRACE_MS)
  await call('Network.disable')
  for (const recorded of requests.values())
    Object.assign(answers[Number(recorded.request?.url.split(QUERY)[1])] ?? {}, recorded)
}

const STOPPERS =
  'by its Content-Security-Policy (check --only page --page URL tells), its service worker or a script.'
const MIXED_CONTENT = 'the browser would stop the widget, since the page is https, at'

const QUERY = '?asked-by=continuation-point-rehearse&n='

/** Runs in the page. */
const QUESTION = `(points) => Promise.allSettled(points.map((point, at) => fetch(point + '${QUERY}' + at,
  { credentials: 'include', cache: 'no-store', redirect: 'manual', signal: AbortSignal.timeout(10_000) }))).then(() => {})`

const GRACE_MS = 300
const MOST_REQUESTS = 1_000
