import { record, word } from './answer.ts'
import type { CallOptions } from './request.ts'
import type { Send } from './send.ts'

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
}

export function createScreenshots(send: Send): Screenshots {
  return {
    latest: (id, call) => send('GET /sessions/{ID}/screenshots/latest/', screenshot, call, { id }),
    create: (id, body = {}, call) =>
      send('POST /sessions/{ID}/screenshots/create/', generation, call, { id, body }),
  }
}

const screenshot = record<Screenshot>({}, 'url')

const generation = word(['GENERATION-STARTED', 'ALREADY-RUNNING', 'FAILED-INTERNALLY'])
