import { json, word } from './answer.ts'
import type { CallOptions } from './request.ts'
import { record, text } from './schema.ts'
import {
  type Screenshot,
  type ScreenshotGeneration,
  type WatchedSession,
  watchScreenshots,
} from './screenshot-watch.ts'
import type { Send } from './send.ts'
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
