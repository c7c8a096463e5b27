import { isActive, type Screenshots, type Session } from './session.ts'

/** Starts the generation; returns the outcome in the service's words (spec 4.4). **Ours:** it fails for a session that has ended. */
export function startScreenshots(
  session: Session,
  asked: { readonly widthPixels: number; readonly intervalSeconds: number },
  windowWidthPixels: number,
  nowMs: number,
): 'GENERATION-STARTED' | 'ALREADY-RUNNING' | 'FAILED-INTERNALLY' {
  if (!isActive(session)) return 'FAILED-INTERNALLY'
  if (session.screenshots !== undefined && nowMs < endOf(session.screenshots)) return 'ALREADY-RUNNING'
  session.screenshots = {
    widthPixels: Math.min(asked.widthPixels, windowWidthPixels),
    intervalMs: Math.max(asked.intervalSeconds, LEAST_INTERVAL_SECONDS) * 1000,
    startMs: nowMs,
    askedMs: nowMs,
  }
  return 'GENERATION-STARTED'
}

/** The number of the latest image, from 0; asking for it keeps the generation going. `undefined`: there is none. */
export function askLatest({ screenshots, endMs }: Session, nowMs: number): number | undefined {
  if (screenshots === undefined) return undefined
  const untilMs = Math.min(nowMs, endOf(screenshots), endMs ?? Number.POSITIVE_INFINITY)
  if (endMs === undefined && nowMs < endOf(screenshots)) screenshots.askedMs = nowMs
  return Math.max(0, Math.floor((untilMs - screenshots.startMs) / screenshots.intervalMs))
}

/** **Ours:** the generation stops after three intervals without a request. */
function endOf({ askedMs, intervalMs }: Screenshots): number {
  return askedMs + 3 * intervalMs
}

const LEAST_INTERVAL_SECONDS = 5
