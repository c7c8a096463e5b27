import { redactUrl } from '../http/url.ts'
import type { BrowserCookie, Chromium } from './chromium.ts'
import { openTab, type Tab } from './tab.ts'

/** The page as each of these people sees it. */
export type Views = Readonly<Record<'visitor' | 'withPoints' | 'withoutPoints', View>>

export interface View {
  readonly url: string
  readonly title: string
  readonly status: number
  /** The text that people see. */
  readonly text: string
  /** PNG in base64; empty if the browser could not make it. */
  readonly picture: string
  /** What the widget carries of the page besides its cookies. */
  readonly carried: { readonly metrics: object }
}

/** The page of a tab as it is now; `undefined` if the page prevents that. */
export async function lookAt({ read, call }: Tab): Promise<View | undefined> {
  const seen = await read<View>(READ)
  if (seen === undefined) return undefined
  await call('Page.bringToFront')
  const shot = await call<{ data: string }>('Page.captureScreenshot').catch(() => ({ data: '' }))
  return { ...seen, url: redactUrl(seen.url), picture: shot.data }
}

/** The page once more, in a profile that has only these cookies and what was carried. */
export async function showAgain(
  browser: Chromium,
  url: string,
  cookies: readonly BrowserCookie[],
  carried: View['carried'],
) {
  const profile = await browser.send<object>('Target.createBrowserContext')
  await browser.send('Browser.setDownloadBehavior', { behavior: 'deny', ...profile })
  // One at a time, since one that is not valid would take the others with it.
  await Promise.allSettled(
    cookies.map((cookie) => browser.send('Storage.setCookies', { ...profile, cookies: [cookie] })),
  )
  const tab = await openTab(browser, profile)
  await tab.call('Emulation.setDeviceMetricsOverride', carried.metrics)
  const given = JSON.stringify({ ...carried, origin: new URL(url).origin })
  await tab.call('Page.addScriptToEvaluateOnNewDocument', { source: `(${STORE})(${given})` })
  await tab.load(url)
  await tab.hold()
  await tab.run(`(${FILL})(${given})`)
  return lookAt(tab)
}

/** Compares titles and texts. A line whose numbers differ in all three views, such as a clock, says nothing. */
export function compareViews({ visitor, withPoints, withoutPoints }: Views) {
  const all = [visitor, withPoints, withoutPoints].map(
    ({ title, text }) =>
      new Map([title, ...text.split('\n')].map((line) => [line.replace(/\d+/g, '0'), line])),
  )
  const isClock = (key: string) =>
    all.every((lines) => lines.has(key)) && new Set(all.map((lines) => lines.get(key))).size === 3
  const [seen = '', kept, lost = ''] = all.map((lines) =>
    [...lines].flatMap(([key, line]) => (isClock(key) ? [] : line)).join('\n'),
  )
  const shown = new Set(seen.split('\n'))
  const isSignedOut = lost.split('\n').some((line) => SIGNED_OUT.test(line) && !shown.has(line))
  return { differ: kept !== lost, isKept: seen === kept, isSignedOut }
}

const SIGNED_OUT = /\b(?:sign(?:ed)?|log(?:ged)?)[ -]?(?:in|out|on)\b/i

// Scripts for pages, as text. An element may have the name of what is read of a document, so all is made a short text.

const READ = `({
  url: location.href,
  title: String(document.title).slice(0, 1e3),
  status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
  text: String(document.body?.innerText ?? '').slice(0, 1e6),
  carried: {
    stored: [() => localStorage, () => sessionStorage].map((open) => {
      let left = 1e6
      try { return Object.entries(open()).filter((entry) => (left -= entry.join('').length) > 0) } catch { return [] }
    }),
    fields: [...document.querySelectorAll('input, textarea, select')].slice(0, 1e3).map(({ type, autocomplete, value, checked }) =>
      /^(?:password|file|hidden|submit|button|image|reset)$/.test(type) || /password/.test(autocomplete)
        ? {} : { value: value.slice(0, 1e3), checked }),
    scroll: [scrollX, scrollY],
    metrics: { width: innerWidth, height: innerHeight, deviceScaleFactor: 1, mobile: false },
  },
})`

const STORE = `({ origin, stored }) => {
  if (location.origin !== origin || localStorage.length + sessionStorage.length > 0) return
  for (const [index, entries] of stored.entries())
    for (const [key, value] of entries) [localStorage, sessionStorage][index].setItem(key, value)
}`

const FILL = `({ origin, fields, scroll }) => {
  if (location.origin !== origin) return
  for (const [index, field] of [...document.querySelectorAll('input, textarea, select')].entries())
    if (!/^(?:password|file)$/.test(field.type)) Object.assign(field, fields[index])
  scrollTo(...scroll)
}`
