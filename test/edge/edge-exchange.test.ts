import { afterEach, describe, expect, it } from 'vitest'
import {
  answerWith,
  type RecordingUpstream,
  type Script,
  startUpstream,
} from '../support/recording-upstream.ts'
import { openRecordedApp, POINT } from './support/recorded-app.ts'

let upstream: RecordingUpstream | undefined

afterEach(async () => {
  await upstream?.close()
  upstream = undefined
})

/** An app in front of a service that answers by `script`. */
async function openBefore(script?: Script, overrides: Record<string, unknown> = {}) {
  const service = await startUpstream(script)
  upstream = service
  return { service, ...(await openRecordedApp(service.origin, overrides)) }
}

describe('a reason phrase', () => {
  it.each([
    ['that is plain', 'Fine, thanks', 'Fine, thanks'],
    ['with octets that are no UTF-8', '\xe9t\xe9', ''],
    ['with octets that are UTF-8', '\xc3\xa9t\xc3\xa9', ''],
    ['with a control octet', 'o\x01k', ''],
    ['with a tab', 'o\tk', 'o\tk'],
  ])('%s costs the answer nothing', async (_what, reason, statusText) => {
    const { app, records } = await openBefore(
      answerWith(
        `HTTP/1.1 200 ${reason}\r\nContent-Length: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\nok`,
      ),
    )
    const response = await app.request(POINT)
    expect([response.status, response.statusText, await response.text()]).toEqual([200, statusText, 'ok'])
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(records).toEqual([expect.objectContaining({ status: 200, outcome: 'ok' })])
  })
})
