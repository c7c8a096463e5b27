import { setTimeout as wait } from 'node:timers/promises'
import type { Chromium } from './chromium.ts'

export type Tab = Awaited<ReturnType<typeof openTab>>

/** Takes over a tab that is known, or opens a new one: in the visitor's profile, or another that is named. */
export async function openTab({ send, on, ended }: Chromium, profile: object = {}, known?: string) {
  const make = () => send<{ targetId: string }>('Target.createTarget', { url: 'about:blank', ...profile })
  const targetId = known ?? (await make()).targetId
  const attach = { targetId, flatten: true }
  const { sessionId } = await send<{ sessionId: string }>('Target.attachToTarget', attach)
  const call = <Result>(method: string, params: object = {}) => send<Result>(method, params, sessionId)
  const listen = on.bind(undefined, sessionId)
  let isQuiet = true
  listen('Page.lifecycleEvent', ({ frameId, name }) => {
    // The main frame has the id of its tab.
    if (frameId === targetId && (name === 'init' || name === 'networkIdle')) isQuiet = name === 'networkIdle'
  })
  const answer = (method: string, params: object) => void call(method, params).catch(() => {})
  listen('Page.javascriptDialogOpening', () => answer('Page.handleJavaScriptDialog', { accept: true }))
  let responseCode = KEEP_DOCUMENT
  listen('Fetch.requestPaused', ({ requestId }) =>
    answer('Fetch.fulfillRequest', { requestId, responseCode, responseHeaders: HTML }),
  )
  for (const method of ['Page.enable', 'Page.setLifecycleEventsEnabled'])
    await call(method, { enabled: true })
  /** Waits only for a while, since some pages never get quiet. */
  const untilQuiet = async () => {
    const untilMs = performance.now() + RESTLESS_MS
    for (let polls = 0; polls < QUIET_POLLS && performance.now() < untilMs; polls = isQuiet ? polls + 1 : 0)
      await wait(POLL_MS, undefined, { signal: ended.signal })
  }
  /** Loads a URL, and waits until the page is quiet; returns why it did not load. */
  const load = async (url: string): Promise<string | undefined> => {
    isQuiet = false
    const loading = call<{ errorText?: string }>('Page.navigate', { url })
    const { errorText } = await loading.catch(() => ({ errorText: 'ERR_TIMED_OUT' }))
    if (errorText === undefined) await untilQuiet()
    return errorText
  }
  /** Keeps the page from loading another document in place of this one; one that was on its way may still come. */
  const hold = async () => {
    await call('Fetch.enable', { patterns: [{ resourceType: 'Document' }] })
    await untilQuiet()
  }
  /** The value of an expression in the page, or in another world of it; `undefined` if the page prevents that. */
  const run = async <Result>(expression: string, world: object = {}): Promise<Result | undefined> => {
    const params = { expression, awaitPromise: true, returnByValue: true, ...world }
    const running = call<{ result?: { value?: Result } }>('Runtime.evaluate', params)
    return (await running.catch(() => undefined))?.result?.value
  }
  return {
    ...{ call, listen, load, hold, run },
    /** The same, where the page can't have replaced what the expression uses. */
    read: async <Result>(expression: string): Promise<Result | undefined> => {
      const making = call<{ executionContextId: number }>('Page.createIsolatedWorld', { frameId: targetId })
      const made = await making.catch(() => undefined)
      return made && run<Result>(expression, { contextId: made.executionContextId })
    },
    detach: () => send('Target.detachFromTarget', { sessionId }),
    /** Shows an empty document at this URL without asking the site, so that no policy or service worker of it is there. */
    loadEmpty: async (url: string) => {
      responseCode = 200
      await hold()
      await call('Network.enable')
      await call('Network.setBypassServiceWorker', { bypass: true })
      await load(url)
    },
  }
}

/** A browser that gets "No Content" keeps the document that it shows (RFC 9110 section 15.3.5). */
const KEEP_DOCUMENT = 204
const HTML = [{ name: 'Content-Type', value: 'text/html' }]
const POLL_MS = 50
const QUIET_POLLS = 6
const RESTLESS_MS = 6_000
