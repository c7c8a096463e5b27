import { ApiError } from './errors.ts'
import { type NewestSink, newestOf } from './newest.ts'
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
 * generation alive (spec 3), and restarts it if it stops.
 */
export function watchScreenshots(
  session: WatchedSession,
  intervalMs: number,
  signals: readonly AbortSignal[],
): AsyncIterableIterator<Screenshot> {
  const stopping = new AbortController()
  const ending = AbortSignal.any([...signals, stopping.signal])
  return newestOf({
    start: (sink) => {
      follow(session, intervalMs, ending, sink).then(
        () => sink.end('done'),
        (error: unknown) => sink.end({ error }),
      )
    },
    stop: () => stopping.abort(),
  })
}

/** Until the session ends; a call that fails, or is aborted, ends it too. */
async function follow(
  session: WatchedSession,
  intervalMs: number,
  signal: AbortSignal,
  sink: NewestSink<Screenshot>,
): Promise<void> {
  let last: string | undefined
  let unchanged = 0
  if ((await start(session, signal)) === 'ended') return
  for (;;) {
    const screenshot = await latestIfAny(session, signal)
    if (screenshot !== undefined) sink.put(screenshot)
    unchanged = screenshot !== undefined && screenshot.url !== last ? 0 : unchanged + 1
    last = screenshot?.url
    if (unchanged === mostUnchanged) {
      if ((await restart(session, signal)) === 'ended') return
      unchanged = 0
    }
    await session.pause(intervalMs, signal)
  }
}

/** The address has not changed for a while: the session may have ended, or the generation may have stopped. */
async function restart(session: WatchedSession, signal: AbortSignal): Promise<'started' | 'ended'> {
  return (await hasEnded(session, signal)) ? 'ended' : start(session, signal)
}

async function start(session: WatchedSession, signal: AbortSignal): Promise<'started' | 'ended'> {
  if ((await session.create({ signal })) !== 'FAILED-INTERNALLY') return 'started'
  if (await hasEnded(session, signal)) return 'ended'
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
