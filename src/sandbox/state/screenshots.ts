import type { Company } from './service.ts'
import { isActive, type Screenshots, type Session } from './session.ts'
import { keepSession } from './sessions.ts'

/** The outcome in the service's words (spec 4.4). */
export type ScreenshotStart = 'GENERATION-STARTED' | 'ALREADY-RUNNING' | 'FAILED-INTERNALLY'

/** Starts the generation. **Ours:** it fails for a session that has ended. */
export function startScreenshots(
  company: Company,
  session: Session,
  asked: { readonly widthPixels: number; readonly intervalSeconds: number },
  windowWidthPixels: number,
  nowMs: number,
): ScreenshotStart {
  if (!isActive(session)) return 'FAILED-INTERNALLY'
  if (session.screenshots !== undefined && isGenerating(session.screenshots, nowMs)) return 'ALREADY-RUNNING'
  const screenshots: Screenshots = {
    widthPixels: Math.min(asked.widthPixels, windowWidthPixels),
    intervalMs: Math.max(asked.intervalSeconds, LEAST_INTERVAL_SECONDS) * 1000,
    startMs: nowMs,
    askedMs: nowMs,
  }
  keepSession(company, { ...session, screenshots })
  return 'GENERATION-STARTED'
}

/** The number of the latest image, from 0; asking for it keeps the generation going. `undefined`: there is none. */
export function askLatest(company: Company, session: Session, nowMs: number): number | undefined {
  const { screenshots } = session
  if (screenshots === undefined) return undefined
  const untilMs = Math.min(nowMs, endOf(screenshots), session.endMs ?? Number.POSITIVE_INFINITY)
  if (isActive(session) && isGenerating(screenshots, nowMs)) {
    keepSession(company, { ...session, screenshots: { ...screenshots, askedMs: nowMs } })
  }
  return Math.max(0, Math.floor((untilMs - screenshots.startMs) / screenshots.intervalMs))
}

function isGenerating(screenshots: Screenshots, nowMs: number): boolean {
  return nowMs < endOf(screenshots)
}

/** **Ours:** the generation stops after three intervals without a request. */
function endOf({ askedMs, intervalMs }: Screenshots): number {
  return askedMs + 3 * intervalMs
}

const LEAST_INTERVAL_SECONDS = 5
