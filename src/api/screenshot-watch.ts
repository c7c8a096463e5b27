import { ApiError } from './errors.ts'
import type { CallOptions } from './request.ts'
import type { Session } from './sessions.ts'

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
