import { json, word } from './answer.ts'
import { ApiError } from './errors.ts'
import type { CallOptions } from './request.ts'
import { record, text } from './schema.ts'
import type { Send } from './send.ts'
import type { Session } from './sessions.ts'
import { session } from './sessions.ts'
import type { Clock } from './transport.ts'

export interface ScreenshotSettings {
  /** Width in pixels; reduced to the window's width if larger. */
  readonly size?: number | undefined
  /** Seconds between two images; less than 5 is raised to 5. */
  readonly interval?: number | undefined
}

/** Spec 4.4. Images are generated only as long as the latest one keeps being requested. */
export interface Screenshots {
  latest(sessionId: string, options?: CallOptions): Promise<Screenshot>
  /** Starts the generation of images. `FAILED-INTERNALLY` is returned, not thrown. */
  create(
    sessionId: string,
    settings?: ScreenshotSettings,
    options?: CallOptions,
  ): Promise<ScreenshotGeneration>
  /**
   * Watches a session until it ends. The generation of images starts with the first read, is kept alive however slow the
   * reader is, and is restarted if it stops. Each interval gives the newest screenshot, even if its address is the same as
   * before, since the image there may have changed. Each interval costs a call.
   *
   * Leave the loop, or abort the signal, and no further call is made. Aborting throws an `ApiError` of kind `aborted`; a
   * service that can't generate images of a running session, one of kind `failed`.
   *
   * @param settings `interval`: seconds from 5, default 5
   * @throws RangeError if the interval is not an integer up to 86 400
   *
   * @example
   * import { createClient } from 'continuation-point/api'
   *
   * const client = createClient({ baseUrl: 'https://cobrowse.example.net/v2', apiKey: process.env.API_KEY })
   * const { session_id } = await client.sessions.create({ url: 'https://www.example.com/' })
   * for await (const { url } of client.screenshots.watch(session_id, { size: 800 })) {
   *   console.log(url)
   *   break
   * }
   */
  watch(
    sessionId: string,
    settings?: ScreenshotSettings,
    options?: CallOptions,
  ): AsyncIterableIterator<Screenshot>
}

export function toScreenshots(
  send: Send,
  client: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Screenshots {
  const latest: Screenshots['latest'] = (id, { signal } = {}) =>
    send({ method: 'GET', path: '/sessions/{ID}/screenshots/latest/', id, signal }, json(screenshot))
  const create: Screenshots['create'] = (id, body = {}, { signal } = {}) =>
    send({ method: 'POST', path: '/sessions/{ID}/screenshots/create/', id, body, signal }, generation)
  return {
    latest,
    create,
    watch: (id, settings = {}, options = {}) => {
      const { interval = leastSeconds } = settings
      if (!Number.isInteger(interval) || interval < 0 || interval > 86_400) {
        throw new RangeError('interval is not a whole number of seconds from 0 to 86400')
      }
      const watched: WatchedSession = {
        latest: (each) => latest(id, each),
        create: (each) => create(id, { ...settings, interval }, each),
        get: ({ signal }) => send({ method: 'GET', path: '/sessions/{ID}/', id, signal }, json(session)),
        pause: (ms, signal) => client.clock.sleep(ms, signal),
      }
      const signals = [client.signal, options.signal].flatMap((signal) => signal ?? [])
      return watchScreenshots(watched, Math.max(interval, leastSeconds) * 1000, signals)
    },
  }
}

/** Of an interval (spec 4.4, rule 1). */
const leastSeconds = 5

const screenshot = record<Screenshot>(['url'], { url: text })

const generation = word(['GENERATION-STARTED', 'ALREADY-RUNNING', 'FAILED-INTERNALLY'])

export interface Screenshot {
  /** Address of the latest image. */
  readonly url: string
}

/** The outcome of the request. The service reports its own failure here too, with status 200 (spec 7, rule 2). */
export type ScreenshotGeneration = 'GENERATION-STARTED' | 'ALREADY-RUNNING' | 'FAILED-INTERNALLY'

/** The calls that a watch is made of, for one session. */
export interface WatchedSession {
  create(options: CallOptions): Promise<ScreenshotGeneration>
  latest(options: CallOptions): Promise<Screenshot>
  get(options: CallOptions): Promise<Session>
  /** Resolves after so many milliseconds, or when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

/**
 * Watches the screenshots of a session: starts their generation, asks for the latest one at each interval, which keeps the
 * generation alive (spec 3), and restarts it if it stops. A slower reader gets only the newest screenshot.
 */
export function watchScreenshots(
  session: WatchedSession,
  intervalMs: number,
  signals: readonly AbortSignal[],
): AsyncIterableIterator<Screenshot> {
  const left = new AbortController()
  const screenshots = newestOf(session, intervalMs, signals, left.signal)
  const leave = screenshots.return.bind(screenshots)
  return Object.assign(screenshots, {
    return() {
      // Before the generator's own return, which waits for reads that are pending.
      left.abort()
      return leave(undefined)
    },
  })
}

async function* newestOf(
  session: WatchedSession,
  intervalMs: number,
  signals: readonly AbortSignal[],
  left: AbortSignal,
): AsyncGenerator<Screenshot, undefined, undefined> {
  let newest: Screenshot | undefined
  let failure: { readonly error: unknown } | undefined
  let isOver = false
  let wake = () => {}
  const put = (screenshot: Screenshot) => {
    newest = screenshot
    wake()
  }
  follow(session, intervalMs, AbortSignal.any([...signals, left]), put)
    .catch((error: unknown) => {
      failure = { error }
    })
    .finally(() => {
      isOver = true
      wake()
    })
  while (!left.aborted) {
    if (newest !== undefined) {
      const screenshot = newest
      newest = undefined
      yield screenshot
    } else if (failure !== undefined) throw failure.error
    else if (isOver) return undefined
    else {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return undefined
}

/** Until the session ends; a call that fails, or is aborted, ends it too. */
async function follow(
  session: WatchedSession,
  intervalMs: number,
  signal: AbortSignal,
  put: (screenshot: Screenshot) => void,
): Promise<void> {
  let last: string | undefined
  let unchanged = 0
  if (!(await start(session, signal))) return
  for (;;) {
    const screenshot = await latestIfAny(session, signal)
    if (screenshot !== undefined) put(screenshot)
    unchanged = screenshot !== undefined && screenshot.url !== last ? 0 : unchanged + 1
    last = screenshot?.url
    if (unchanged === mostUnchanged) {
      // The session may have ended, or the generation may have stopped.
      if ((await hasEnded(session, signal)) || !(await start(session, signal))) return
      unchanged = 0
    }
    await session.pause(intervalMs, signal)
  }
}

/** @returns false if the session has ended */
async function start(session: WatchedSession, signal: AbortSignal): Promise<boolean> {
  if ((await session.create({ signal })) !== 'FAILED-INTERNALLY') return true
  if (await hasEnded(session, signal)) return false
  const failure = { kind: 'failed', status: 200, detail: 'FAILED-INTERNALLY' } as const
  throw new ApiError('POST', '/sessions/{ID}/screenshots/create/', failure)
}

async function hasEnded(session: WatchedSession, signal: AbortSignal): Promise<boolean> {
  const { end_time } = await session.get({ signal })
  return end_time !== null && end_time !== undefined
}

/** Before the first screenshot there is none. What the service answers then is not documented; we expect "not found". */
async function latestIfAny(session: WatchedSession, signal: AbortSignal): Promise<Screenshot | undefined> {
  try {
    return await session.latest({ signal })
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not-found') return undefined
    throw error
  }
}

const mostUnchanged = 3
