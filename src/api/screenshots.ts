import { json, word } from './answer.ts'
import type { CallOptions } from './request.ts'
import type { Send } from './send.ts'
import { record, text } from './shape.ts'

export interface Screenshot {
  /** Address of the latest image. */
  readonly url: string
}

export interface ScreenshotSettings {
  /** Width in pixels; reduced to the window's width when it is larger. */
  readonly size?: number | undefined
  /** Seconds between two images; less than 5 is raised to 5. */
  readonly interval?: number | undefined
}

/** What became of the request. The service reports its own failure here too, with status 200 (spec 7, rule 2). */
export type ScreenshotGeneration = 'GENERATION-STARTED' | 'ALREADY-RUNNING' | 'FAILED-INTERNALLY'

/** Spec 4.4. Images are made only while the latest one keeps being asked for. */
export interface Screenshots {
  latest(sessionId: string, options?: CallOptions): Promise<Screenshot>
  /** Starts the making of images. `FAILED-INTERNALLY` is an answer and no error: look at it. */
  create(
    sessionId: string,
    settings?: ScreenshotSettings,
    options?: CallOptions,
  ): Promise<ScreenshotGeneration>
}

export function toScreenshots(send: Send): Screenshots {
  return {
    latest: (id, { signal } = {}) =>
      send({ method: 'GET', path: '/sessions/{ID}/screenshots/latest/', id, signal }, json(screenshot)),
    create: (id, body = {}, { signal } = {}) =>
      send({ method: 'POST', path: '/sessions/{ID}/screenshots/create/', id, body, signal }, generation),
  }
}

const screenshot = record<Screenshot>(['url'], { url: text })

const generation = word(['GENERATION-STARTED', 'ALREADY-RUNNING', 'FAILED-INTERNALLY'])
