import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaseResponse } from '../../src/conformance/cases/play.ts'
import { openStage } from '../../src/conformance/stage.ts'
import { SCENE_FIELD, startWitness, type Witness } from '../../src/conformance/witness.ts'
import { valuesOf } from '../../src/http/fields.ts'

// A point may ask again for a GET whose client left (Go's transport does) when the next case is already in progress.
// Such a repeat was counted as a second request of that case, and the point was blamed for what it had not done.
describe('a request that a point repeats late', () => {
  let witness: Witness
  beforeEach(async () => {
    witness = await startWitness(0)
  })
  afterEach(() => witness.close())

  it.each<[string, (marks: { before: string; now: string }) => string | undefined, number, number]>([
    ['of the case before', ({ before }) => before, 503, 0],
    ['of this case', ({ now }) => now, 200, 1],
    ['of a point that drops the mark', () => undefined, 200, 1],
  ])('%s', async (_what, toMark, status, arrivals) => {
    const { mark: before } = witness.play(ANSWER, 'at-once')
    const scene = witness.play(ANSWER, 'at-once')
    const mark = toMark({ before, now: scene.mark })
    expect(await ask(witness.port, mark === undefined ? {} : { [SCENE_FIELD]: mark })).toBe(status)
    expect(scene.arrivals).toHaveLength(arrivals)
  })

  it('is distinguished by a field that the stage sends with every request', async () => {
    const stage = openStage({
      place: {
        endpoint: { scheme: 'http', host: '127.0.0.1', port: witness.port },
        address: '127.0.0.1',
        trust: undefined,
      },
      witness,
      facts: { point: '', origin: '', pageOrigin: '', root: '/', serviceAuthorities: [], widgetKey: '' },
      authority: `127.0.0.1:${witness.port}`,
      path: '/',
      userAgent: 'test',
      replyLimitMs: 10_000,
      stepLimitMs: 2_000,
    })
    const row = { id: 'any/case', level: 'must', title: 'any', manner: 'twice', expect: [] } as const
    const plays = [await stage.play(row), await stage.play(row)]
    const marks = plays.map(({ arrivals }) =>
      arrivals.flatMap(({ fields }) => valuesOf(fields, SCENE_FIELD.toLowerCase())),
    )
    expect(marks).toEqual([
      ['1', '1'],
      ['2', '2'],
    ])
    expect(plays.map(({ reply }) => statusOf(reply))).toEqual([200, 200])
  })
})

const ANSWER = { status: 200, reason: 'OK', fields: [], body: '', framing: 'length' } as const

function statusOf(reply: CaseResponse): number | undefined {
  return reply.kind === 'response' ? reply.status : undefined
}

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
