import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { redactUrl } from '../http/url.ts'
import type { Chromium } from './chromium.ts'
import type { Tab, Tabs } from './tabs.ts'

/** A page as it is shown, without what its URL and its cookies hold. */
export interface View {
  readonly url: string
  readonly title: string
  readonly status: number | undefined
  /** PNG in base64; absent if the browser could not make it. */
  readonly picture: string | undefined
  /** The text that people see, in lines. */
  readonly lines: readonly string[]
  readonly asksPassword: boolean
}

/** A cookie with its value, which goes from one profile of the browser into another, and nowhere else. */
export interface WholeCookie {
  readonly name: string
  readonly domain: string
  readonly path: string
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite?: 'Strict' | 'Lax' | 'None'
  readonly expires: number
  readonly partitionKey?: object
}

/** What scripts read of a page besides its cookies. */
export interface Carried {
  readonly storage: readonly (readonly (readonly [key: string, value: string])[])[]
  readonly fields: readonly (readonly [index: number, value: string | boolean])[]
  readonly scroll: readonly [x: number, y: number]
  readonly size: readonly [width: number, height: number]
}

/** The page of a tab in its present state, and what scripts read in it. */
export async function lookAt({ send }: Chromium, tabs: Tabs, tab: Tab) {
  const { url, status, session } = tab
  const read = await tabs.run<Pick<View, 'title' | 'lines' | 'asksPassword'> & Carried>(tab, READ, 'apart')
  await send('Page.bringToFront', {}, session).catch(() => {})
  const shot = send<{ data: string }>('Page.captureScreenshot', { format: 'png' }, session).catch(
    () => undefined,
  )
  const picture = (await Promise.race([shot, wait(LATE_MS, undefined, { ref: false })]))?.data
  const { title = '', lines = [], asksPassword = false } = read ?? {}
  const view: View = { url: redactUrl(url), status, picture, title, lines, asksPassword }
  return { view, carried: read as Carried | undefined }
}

/** The page once more, in a profile that has only these cookies and what was carried. */
export async function showAgain(
  browser: Chromium,
  tabs: Tabs,
  url: string,
  cookies: readonly WholeCookie[],
  carried: Carried,
): Promise<View> {
  const { send } = browser
  const { browserContextId } = await send<{ browserContextId: string }>('Target.createBrowserContext')
  // One at a time, since one that is not valid would take the others with it.
  const setting = cookies.map(({ expires, ...cookie }) =>
    send('Storage.setCookies', {
      ...{ cookies: [{ ...cookie, ...(expires > 0 ? { expires } : {}) }], browserContextId },
    }),
  )
  await Promise.allSettled(setting)
  const tab = await tabs.open(browserContextId)
  await setSize(browser, tab, carried.size)
  const source = `(${STORE})(${JSON.stringify(new URL(url).origin)}, ${JSON.stringify(carried.storage)})`
  await send('Page.addScriptToEvaluateOnNewDocument', { source }, tab.session)
  await tabs.load(tab, url)
  const { view } = await tabs.hold(tab, async () => {
    const given = `${JSON.stringify(carried.fields)}, ${JSON.stringify(carried.scroll)}`
    await tabs.run(tab, `(${FILL})(${given})`, 'apart')
    return lookAt(browser, tabs, tab)
  })
  await send('Target.disposeBrowserContext', { browserContextId })
  return view
}

export async function setSize(
  { send }: Chromium,
  { session }: Tab,
  [width, height]: readonly [number, number],
) {
  const metrics = { width, height, deviceScaleFactor: 1, mobile: false }
  await send('Emulation.setDeviceMetricsOverride', metrics, session)
}

/** By titles and texts. A line whose numbers differ in all three, such as a clock, says nothing. */
export function compareViews(visitor: View, withPoints: View, withoutPoints: View) {
  const [seen, kept, lost] = [visitor, withPoints, withoutPoints].map(toLines) as [Lines, Lines, Lines]
  const all = [seen, kept, lost]
  for (const template of seen.keys()) {
    if (new Set(all.map((lines) => lines.get(template) ?? seen.get(template))).size < 3) continue
    for (const lines of all) lines.delete(template)
  }
  const signsOut = ([template, line]: [string, string]) =>
    seen.get(template) !== line && SIGNED_OUT.test(line)
  return {
    differ: !isDeepStrictEqual(kept, lost),
    isKept: isDeepStrictEqual(seen, kept),
    isSignedOut: (withoutPoints.asksPassword && !visitor.asksPassword) || [...lost].some(signsOut),
  }
}

type Lines = Map<string, string>

function toLines({ title, lines }: View): Lines {
  return new Map([title, ...lines].map((line) => [line.replace(/\d+/g, '0'), line]))
}

const SIGNED_OUT = /\b(?:sign(?:ed)?|log(?:ged)?)[ -]?(?:in|out|on)\b/i

// Scripts for pages, as text.

const READ = `({
  title: document.title,
  lines: (document.body?.innerText ?? '').split('\\n').map((line) => line.trim()).filter(Boolean).slice(0, 2000),
  asksPassword: document.querySelector('input[type=password]') !== null,
  storage: [() => localStorage, () => sessionStorage].map((open) => {
    try { return Object.entries(open()) } catch { return [] }
  }),
  fields: [...document.querySelectorAll('input, textarea, select')].flatMap((field, index) =>
    /^(?:password|file|hidden|submit|button|image|reset)$/.test(field.type) || /password/.test(field.autocomplete) ? []
      : [[index, /^(?:checkbox|radio)$/.test(field.type) ? field.checked : field.value]]),
  scroll: [scrollX, scrollY],
  size: [innerWidth, innerHeight],
})`

const STORE = `(origin, all) => {
  if (location.origin !== origin || localStorage.length + sessionStorage.length > 0) return
  for (const [index, entries] of all.entries())
    for (const [key, value] of entries) [localStorage, sessionStorage][index].setItem(key, value)
}`

const FILL = `(fields, scroll) => {
  const all = document.querySelectorAll('input, textarea, select')
  for (const [index, value] of fields) {
    const field = all[index]
    if (field === undefined || /^(?:password|file)$/.test(field.type)) continue
    if (typeof value === 'boolean') field.checked = value
    else field.value = value
  }
  scrollTo(...scroll)
}`

const LATE_MS = 10_000
