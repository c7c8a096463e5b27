import { integer, optional } from '../schema/schema.ts'
import { askLatest, startScreenshots } from '../state/screenshots.ts'
import { notFound, ok } from './reply.ts'
import { defineRoute, type Route } from './route.ts'
import { sessionOf } from './sessions.ts'

/** Screenshots of running sessions (spec 4.4). */
export const screenshotRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/sessions/{ID}/screenshots/latest/',
    summary: 'Read the address of the latest image, which keeps the generation going',
    responses: { 200: 'The address' },
    find: sessionOf,
    answer({ company, subject: session, nowMs, root }) {
      const latest = askLatest(company, session, nowMs)
      if (latest === undefined) return notFound('screenshot', 'screenshot of this session')
      return ok({ url: `${root}/screenshot/${session.id}/${latest}.svg` })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/sessions/{ID}/screenshots/create/',
    summary: 'Start the generation; how that went is the text of the answer',
    body: { size: optional(integer(1)), interval: optional(integer(0)) },
    responses: { 200: 'text/plain: GENERATION-STARTED, ALREADY-RUNNING or FAILED-INTERNALLY' },
    find: sessionOf,
    answer({ service: { windowWidthPixels }, company, subject: session, body, nowMs }) {
      const asked = { widthPixels: body.size ?? windowWidthPixels, intervalSeconds: body.interval ?? 0 }
      return { status: 200, text: startScreenshots(company, session, asked, windowWidthPixels, nowMs) }
    },
  }),
]
