import { setTimeout as wait } from 'node:timers/promises'
import type { Chromium } from './chromium.ts'

/** An open page, as far as the browser has told of it. */
export interface Tab {
  readonly session: string
  /** Also the id of its main frame. */
  readonly id: string
  readonly isVisitors: boolean
  url: string
  status: number | undefined
  hasLoaded: boolean
  /** Since when nothing is loaded. */
  quietSinceMs: number | undefined
}

export type Tabs = Awaited<ReturnType<typeof watchTabs>>

/**
 * Follows all tabs of the browser, those that pages open too. The profile of the first one is the visitor's.
 *
 * @param onVisit gets a tab whenever it shows another URL
 */
export async function watchTabs(
  { send, on, ended }: Chromium,
  isHeadless: boolean,
  onVisit: (tab: Tab) => void,
) {
  const open = new Map<string, Tab>()
  let visitor: string | undefined
  on('Target.attachedToTarget', async ({ sessionId: session, targetInfo }) => {
    const { targetId: id, browserContextId = '' } = targetInfo
    visitor ??= browserContextId
    const isVisitors = browserContextId === visitor
    const tab: Tab = { session, id, isVisitors, ...UNLOADED, url: '', status: undefined }
    follow(tab)
    const domains = ['Page.enable', 'Network.enable', 'Page.setLifecycleEventsEnabled']
    const calls = [...domains, 'Runtime.runIfWaitingForDebugger']
    await Promise.allSettled(calls.map((method) => send(method, { enabled: true }, session)))
    // By now the events of its empty page have come.
    open.set(session, tab)
  })
  on('Target.detachedFromTarget', ({ sessionId }) => {
    open.delete(sessionId)
    // On macOS the browser goes on without a window.
    if (![...open.values()].some(({ isVisitors }) => isVisitors)) ended.abort()
  })
  const follow = (tab: Tab) => {
    const { session, id, isVisitors } = tab
    const isMain = (frameId: string) => frameId === id
    const move = (url: string) => {
      tab.url = url
      onVisit(tab)
    }
    on('Page.frameNavigated', ({ frame }) => frame.parentId ?? move(frame.url), session)
    on('Page.navigatedWithinDocument', ({ frameId, url }) => isMain(frameId) && move(url), session)
    on(
      'Page.lifecycleEvent',
      ({ frameId, name }) => {
        if (!isMain(frameId)) return
        if (name === 'init') Object.assign(tab, UNLOADED)
        if (name === 'load') tab.hasLoaded = true
        if (name === 'networkIdle') tab.quietSinceMs = performance.now()
      },
      session,
    )
    on(
      'Network.responseReceived',
      ({ type, frameId, response }) => {
        if (type === 'Document' && isMain(frameId)) tab.status = response.status
      },
      session,
    )
    // Of a tab that is held. One that waited would keep the browser from answering.
    const abort = ({ requestId }: { readonly requestId: string }) =>
      send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, session).catch(() => undefined)
    on('Fetch.requestPaused', abort, session)
    const accept = () => send('Page.handleJavaScriptDialog', { accept: true }, session).catch(() => undefined)
    // At a window the visitor answers.
    if (isHeadless || !isVisitors) on('Page.javascriptDialogOpening', accept, session)
  }
  const find = async (isIt: (tab: Tab) => boolean): Promise<Tab> => {
    for (;;) {
      const tab = [...open.values()].find(isIt)
      if (tab !== undefined) return tab
      await wait(POLL_MS, undefined, { signal: ended.signal })
    }
  }
  await send('Target.setAutoAttach', {
    ...{ autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: [{ type: 'page' }] },
  })
  const evaluate = async <Result>({ session, id }: Tab, expression: string, world: 'page' | 'apart') => {
    const apart = { frameId: id, worldName: 'continuation-point' }
    const made =
      world === 'page'
        ? undefined
        : await send<{ executionContextId: number }>('Page.createIsolatedWorld', apart, session)
    const params = {
      expression,
      awaitPromise: true,
      returnByValue: true,
      contextId: made?.executionContextId,
    }
    const { result } = await send<{ result: { value?: Result } }>('Runtime.evaluate', params, session)
    return result.value
  }
  return {
    first: await find(() => true),
    list: (): readonly Tab[] => [...open.values()],
    /** Opens a tab, in the visitor's profile unless another is named. */
    open: async (browserContextId?: string): Promise<Tab> => {
      const params = { url: 'about:blank', browserContextId }
      const { targetId } = await send<{ targetId: string }>('Target.createTarget', params)
      return find(({ id }) => id === targetId)
    },
    /**
     * Runs a script in the page, or apart from what the page has replaced, such as `fetch`; `undefined` if the page keeps it
     * from ending. A document that was on its way may take the place of this one, so it gets a second try.
     */
    run: <Result>(tab: Tab, expression: string, world: 'page' | 'apart'): Promise<Result | undefined> => {
      const again = () => wait(SECOND_MS).then(() => evaluate<Result>(tab, expression, world))
      const running = evaluate<Result>(tab, expression, world).catch(again)
      return Promise.race([running.catch(() => undefined), wait(LATE_MS, undefined, { ref: false })])
    },
    /** Acts while the document stays: no other is loaded in its place, which it may try at any time. */
    hold: async <Result>(tab: Tab, act: () => Promise<Result>): Promise<Result> => {
      await send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] }, tab.session)
      // One that is on its way already may still come.
      const untilMs = performance.now() + RESTLESS_MS
      for (let steady = 0; steady < STEADY_POLLS && performance.now() < untilMs; steady += 1) {
        await wait(POLL_MS)
        if (!tab.hasLoaded) steady = 0
      }
      return act().finally(() => send('Fetch.disable', {}, tab.session).catch(() => {}))
    },
    /** Loads a URL, and waits until the page is quiet; returns why it did not load. */
    load: async (tab: Tab, url: string): Promise<string | undefined> => {
      Object.assign(tab, UNLOADED)
      const loading = send<{ errorText?: string; loaderId?: string }>('Page.navigate', { url }, tab.session)
      const late = wait(LOADING_MS, { errorText: 'ERR_TIMED_OUT', loaderId: '' }, { ref: false })
      const { errorText, loaderId } = await Promise.race([loading, late])
      // Another place in the same document has no loader.
      if (errorText === undefined && loaderId !== undefined) await untilQuiet(tab, ended.signal)
      return errorText && (/ERR_[A-Z_]+/.exec(errorText)?.[0] ?? 'it failed')
    },
  }
}

/** Some pages never are, so it waits only for a while. */
async function untilQuiet(tab: Tab, signal: AbortSignal): Promise<void> {
  let untilMs = performance.now() + LOADING_MS
  for (let nowMs = performance.now(); nowMs < untilMs; nowMs = performance.now()) {
    const { hasLoaded, quietSinceMs } = tab
    if (hasLoaded) untilMs = Math.min(untilMs, nowMs + RESTLESS_MS)
    if (hasLoaded && quietSinceMs !== undefined && nowMs - quietSinceMs > SETTLED_MS) return
    await wait(POLL_MS, undefined, { signal })
  }
}

const UNLOADED = { hasLoaded: false, quietSinceMs: undefined }
const POLL_MS = 50
const STEADY_POLLS = 6
const LOADING_MS = 30_000
const RESTLESS_MS = 6_000
const SETTLED_MS = 300
const SECOND_MS = 1_000
const LATE_MS = 11_000
