import { isDeepStrictEqual } from 'node:util'
import { redactUrl } from '../http/url.ts'
import type { Chromium, CookieKey } from './chromium.ts'
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
}

/** A cookie with its value, which goes from one profile of the browser into another, and nowhere else. */
export interface WholeCookie extends CookieKey {
  readonly httpOnly: boolean
  readonly expires: number
  readonly partitionKey?: object
}

/** What scripts read of a page besides its cookies: the widget carries it. */
interface Carried {
  readonly size: readonly [width: number, height: number]
}

/** The page of a tab as it is now, and what scripts read in it; `undefined` if the page prevents that. */
export async function lookAt({ run, call }: Tab) {
  const read = await run<View & { readonly carried: Carried }>(READ)
  if (read === undefined) return undefined
  await call('Page.bringToFront')
  const shot = await call<{ data: string }>('Page.captureScreenshot').catch(() => ({ data: '' }))
  const { carried, ...view } = read
  return { carried, view: { ...view, url: redactUrl(view.url), picture: shot.data } }
}

/** The page once more, in a profile that has only these cookies and what was carried. */
export async function showAgain(
  browser: Chromium,
  url: string,
  cookies: readonly WholeCookie[],
  carried: Carried,
): Promise<View | undefined> {
  const profile = await browser.send<{ browserContextId: string }>('Target.createBrowserContext')
  // One at a time, since one that is not valid would take the others with it.
  const setting = cookies.map(({ expires, ...cookie }) => {
    const lasting = expires > 0 ? { ...cookie, expires } : cookie
    return browser.send('Storage.setCookies', { ...profile, cookies: [lasting] })
  })
  await Promise.allSettled(setting)
  const tab = await openTab(browser, profile)
  const [width, height] = carried.size
  const metrics = { width, height, deviceScaleFactor: 1, mobile: false }
  await tab.call('Emulation.setDeviceMetricsOverride', metrics)
  const given = JSON.stringify({ ...carried, origin: new URL(url).origin })
  await tab.call('Page.addScriptToEvaluateOnNewDocument', { source: `(${STORE})(${given})` })
  await tab.load(url)
  await tab.hold()
  await tab.run(`(${FILL})(${given})`)
  return (await lookAt(tab))?.view
}

/** Compares titles and texts. A line whose numbers differ in all three views, such as a clock, says nothing. */
export function compareViews({ visitor, withPoints, withoutPoints }: Views) {
  const all = [visitor, withPoints, withoutPoints].map(
    ({ title, text }) =>
      new Map([title, ...text.split('\n')].map((line) => [line.replace(/\d+/g, '0'), line])),
  )
  const isClock = (key: string) =>
    all.every((lines) => lines.has(key)) && new Set(all.map((lines) => lines.get(key))).size === 3
  const [seen = [], kept, lost = []] = all.map((lines) =>
    [...lines].flatMap(([key, line]) => (isClock(key) ? [] : line)),
  )
  return {
    differ: !isDeepStrictEqual(kept, lost),
    isKept: isDeepStrictEqual(seen, kept),
    isSignedOut: lost.some((line) => SIGNED_OUT.test(line) && !seen.includes(line)),
  }
}

const SIGNED_OUT = /\b(?:sign(?:ed)?|log(?:ged)?)[ -]?(?:in|out|on)\b/i

// Scripts for pages, as text.

const READ = `({
  url: location.href,
  title: document.title,
  status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
  text: document.body?.innerText ?? '',
  carried: {
    stored: [() => localStorage, () => sessionStorage].map((open) => {
      try { return Object.entries(open()) } catch { return [] }
    }),
    fields: [...document.querySelectorAll('input, textarea, select')].map(({ type, autocomplete, value, checked }) =>
      /^(?:password|file|hidden|submit|button|image|reset)$/.test(type) || /password/.test(autocomplete)
        ? {} : { value, checked }),
    scroll: [scrollX, scrollY],
    size: [innerWidth, innerHeight],
  },
})`

const STORE = `({ origin, stored }) => {
  if (location.origin !== origin || localStorage.length + sessionStorage.length > 0) return
  for (const [index, entries] of stored.entries())
    for (const [key, value] of entries) [localStorage, sessionStorage][index].setItem(key, value)
}`

const FILL = `({ fields, scroll }) => {
  for (const [index, field] of [...document.querySelectorAll('input, textarea, select')].entries())
    if (!/^(?:password|file)$/.test(field.type)) Object.assign(field, fields[index])
  scrollTo(...scroll)
}`
