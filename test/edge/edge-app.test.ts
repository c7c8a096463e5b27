import { afterEach, beforeEach, expect, it } from 'vitest'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { openRecordedApp, POINT } from './support/recorded-app.ts'

/** The runner's own listeners would fail the run for an error that is uncaught on purpose. */
const ofRunner = process.listeners('uncaughtException')

let upstream: RecordingUpstream

beforeEach(async () => {
  upstream = await startUpstream()
  process.removeAllListeners('uncaughtException')
})

afterEach(async () => {
  process.removeAllListeners('uncaughtException')
  for (const listener of ofRunner) process.on('uncaughtException', listener)
  await upstream.close()
})

it.each([
  ['that the service answered', POINT, 200, 'ok'],
  ['that no point owns', 'https://www.example.com/', 404, 'unknown-path'],
])(
  'a listener that throws does not affect a request %s, and is reported',
  async (_which, url, status, outcome) => {
    const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve))
    const { app } = await openRecordedApp(
      upstream.origin,
      {},
      {
        onExchange: (record) => {
          throw new Error(record.outcome)
        },
      },
    )
    const response = await app.request(url)
    expect(response.status).toBe(status)
    expect(await uncaught).toEqual(new Error(outcome))
  },
)
