import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import { SCRIPT_FIELD, startOriginServer } from './suite/origin-server.ts'

// A point may ask again for a GET whose client left (Go's transport does) when the next case is already in progress.
// Such a repeat was counted as a second request of that case, and the point was blamed for what it had not done.
describe('a request that a point repeats late', () => {
  it.each<[string, (marks: { before: string; now: string }) => string | undefined, number, number]>([
    ['of the case before', ({ before }) => before, 503, 0],
    ['of this case', ({ now }) => now, 200, 1],
    ['of a point that drops the mark', () => undefined, 200, 1],
  ])('%s', async (_what, toMark, status, arrivals) => {
    const originServer = await openForTest(startOriginServer(0))
    const { mark: before } = originServer.script(ANSWER, 'at-once')
    const script = originServer.script(ANSWER, 'at-once')
    const mark = toMark({ before, now: script.mark })
    expect(await ask(originServer.port, mark === undefined ? {} : { [SCRIPT_FIELD]: mark })).toBe(status)
    expect(script.arrivals).toHaveLength(arrivals)
  })
})

const ANSWER = { status: 200, reason: 'OK', fields: [], body: '', framing: 'length' } as const

function ask(port: number, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, headers, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
