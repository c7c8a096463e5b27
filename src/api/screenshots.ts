import { json, word } from './answer.ts'
import { ApiError } from './errors.ts'
import type { CallOptions } from './request.ts'
import { record, text } from './schema.ts'
import type { ClientSettings, Send } from './send.ts'
import { session } from './sessions.ts'
import { systemClock } from './transport.ts'

export interface Screenshot {
  /** Address of the latest image. */
  readonly url: string
}

/** The outcome of the request. The service reports its own failure here too, with status 200 (spec 7, rule 2). */
export type ScreenshotGeneration = 'GENERATION-STARTED' | 'ALREADY-RUNNING' | 'FAILED-INTERNALLY'

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
   * After you leave the loop, or abort the signal, no further call is made. Aborting throws an `ApiError` of kind `aborted`; a
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

export function createScreenshots(send: Send, client: Pick<ClientSettings, 'clock' | 'signal'>): Screenshots {
  const { clock = systemClock } = client
  const latest: Screenshots['latest'] = (id, call) =>
    send('GET /sessions/{ID}/screenshots/latest/', json(screenshot), call, { id })
  const create: Screenshots['create'] = (id, body = {}, call) =>
    send('POST /sessions/{ID}/screenshots/create/', generation, call, { id, body })
  return {
    latest,
    create,
    watch: (id, settings = {}, options = {}) => {
      const { interval = LEAST_SECONDS } = settings
      if (!Number.isInteger(interval) || interval < 0 || interval > 86_400) {
        throw new RangeError('interval is not a whole number of seconds from 0 to 86400')
      }
      const left = new AbortController()
      const signals = [client.signal, options.signal, left.signal].flatMap((each) => each ?? [])
      const signal = AbortSignal.any(signals)
      const watched: Watched = {
        latest: () => latest(id, { signal }),
        create: () => create(id, { ...settings, interval }, { signal }),
        hasEnded: async () => {
          const { end_time } = await send('GET /sessions/{ID}/', json(session), { signal }, { id })
          return (end_time ?? null) !== null
        },
        pause: () => clock.sleep(Math.max(interval, LEAST_SECONDS) * 1000, signal),
      }
      const screenshots = newestOf<Screenshot>((put) =>
        follow(watched, put).catch((error: unknown) => {
          if (!left.signal.aborted) throw error
        }),
      )
      const leave = screenshots.return.bind(screenshots)
      return Object.assign(screenshots, {
        return() {
          // Ends reads that are pending, for which the generator's own return would wait.
          left.abort()
          return leave(undefined)
        },
      })
    },
  }
}

/** What a watch does with its session, until its signal aborts. */
interface Watched {
  create(): Promise<ScreenshotGeneration>
  latest(): Promise<Screenshot>
  hasEnded(): Promise<boolean>
  pause(): Promise<void>
}

/** Iterates over a source that has its own pace: a slower reader gets only the newest value. */
async function* newestOf<T>(
  source: (put: (value: T) => void) => Promise<void>,
): AsyncGenerator<T, undefined, undefined> {
  let kept: readonly T[] = []
  let isOver = false
  let wake = () => {}
  const ended = source((value) => {
    kept = [value]
    wake()
  }).finally(() => {
    isOver = true
    wake()
  })
  // What it throws, the reader gets once there is nothing left to read.
  ended.catch(() => {})
  for (;;) {
    while (kept.length === 0 && !isOver) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    if (kept.length === 0) return void (await ended)
    const values = kept
    kept = []
    yield* values
  }
}

/**
 * Starts the generation, asks for the latest screenshot at each interval, which keeps the generation alive (spec 3), and
 * restarts it if it stops; until the session ends. A call that fails, or is aborted, ends it too.
 */
async function follow(session: Watched, put: (screenshot: Screenshot) => void): Promise<void> {
  let last: string | undefined
  let unchanged = 0
  if (!(await start(session))) return
  for (;;) {
    const screenshot = await session.latest().catch(undefinedIfAbsent)
    if (screenshot !== undefined) put(screenshot)
    unchanged = screenshot !== undefined && screenshot.url !== last ? 0 : unchanged + 1
    last = screenshot?.url
    if (unchanged === MOST_UNCHANGED) {
      // The session may have ended, or the generation may have stopped.
      if ((await session.hasEnded()) || !(await start(session))) return
      unchanged = 0
    }
    await session.pause()
  }
}

/** @returns false if the session has ended */
async function start(session: Watched): Promise<boolean> {
  if ((await session.create()) !== 'FAILED-INTERNALLY') return true
  if (await session.hasEnded()) return false
  const failure = { kind: 'failed', status: 200, detail: 'FAILED-INTERNALLY' } as const
  throw new ApiError('POST', '/sessions/{ID}/screenshots/create/', failure)
}

/** Before the first screenshot there is none. What the service answers then is not documented; we expect "not found". */
function undefinedIfAbsent(error: unknown): undefined {
  if (!(error instanceof ApiError && error.kind === 'not-found')) throw error
}

/** Of an interval (spec 4.4, rule 1). */
const LEAST_SECONDS = 5

const MOST_UNCHANGED = 3

const screenshot = record<Screenshot>(['url'], { url: text })

const generation = word(['GENERATION-STARTED', 'ALREADY-RUNNING', 'FAILED-INTERNALLY'])
