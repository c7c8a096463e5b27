import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { boundedAsker } from '../../../src/check/ask/asker.ts'
import type { Purpose, Question } from '../../../src/check/read/live-fact.ts'
import type { NoResponse, ProbeReply } from '../../../src/probe/probe.ts'

/** Asks questions one after another. The attempts get the replies in turn, then always 200. */
async function ask(
  words: readonly string[],
  replies: readonly ProbeReply[],
  onSent: (mostMs: number) => unknown = () => {},
) {
  const sent: string[] = []
  const pauses: number[] = []
  const waiting = [...replies]
  const asker = boundedAsker(
    async ({ question: { purpose, method } }, mostMs) => {
      sent.push(`${purpose} ${method}`)
      onSent(mostMs)
      return waiting.shift() ?? answer(200)
    },
    async (ms) => pauses.push(ms),
  )
  const got: ProbeReply[] = []
  for (const word of words) got.push(await asker({ question: toQuestion(word), address: '' }))
  return { sent, pauses, told: got.map((reply) => (reply.kind === 'none' ? reply.cause : reply.status)) }
}

describe('a rate limit', () => {
  it.each<[string, ProbeReply[], number[], (number | string)[]]>([
    ['is waited for', [answer(429, '2')], [2000], [200, 200]],
    ['is waited for twice', [answer(429, '2'), answer(429, '3')], [2000, 3000], [200, 200]],
    ['of 503 is waited for', [answer(503, '1')], [1000], [200, 200]],
    ['until a date is waited for as long as any', [answer(429, 'Fri, 31 Dec 2049')], [5000], [200, 200]],
    ['of an hour is not', [answer(429, '3600')], [5000], [200, 200]],
    ['without Retry-After is an answer', [answer(429)], [], [429, 200]],
    ['of another status is an answer', [answer(301, '9')], [], [301, 200]],
    [
      'that keeps refusing stops further questions',
      [answer(429, '1'), answer(429, '1'), answer(429, '1')],
      [1000, 1000],
      ['rate-limited', 'rate-limited'],
    ],
  ])('%s', async (_what, replies, pauses, told) => {
    const checked = await ask(['method PUT', 'cookie GET'], replies)
    expect([checked.pauses, checked.told]).toEqual([pauses, told])
    expect(checked.sent).toHaveLength(
      told.filter((each) => each !== 'rate-limited').length + replies.length - Number(pauses.length === 0),
    )
  })

  it.each<[string, ProbeReply[], (number | string)[]]>([
    ['first question is waited for', [answer(429, '2')], [200, 200]],
    ['first question for good is one', Array(3).fill(answer(429, '2')), ['rate-limited', 'rate-limited']],
    ['first question as 503 is waited for', [answer(503, '2')], [200, 200]],
    ['first question as 503 for good is an answer', Array(3).fill(answer(503, '2')), [503, 200]],
    [
      'second question, and then of the first one, is one',
      [answer(200), ...Array(4).fill(answer(503, '2'))],
      [200, 'rate-limited'],
    ],
    ['second question alone is an answer', [answer(200), ...Array(3).fill(answer(503, '2'))], [200, 503]],
  ])('of the %s', async (_what, replies, told) => {
    expect((await ask(['verification GET', 'method PUT'], replies)).told).toEqual(told)
  })

  it('on every question delays the run by half a minute in all', async () => {
    const limited = Array.from({ length: 20 }, (_, index) => answer(index % 2 === 0 ? 429 : 200, '5'))
    const { pauses, told } = await ask(Array(10).fill('cookie GET'), limited)
    expect(pauses).toEqual(Array(6).fill(5000))
    expect(told).toEqual([...Array(6).fill(200), ...Array(4).fill('rate-limited')])
  })
})

describe('a connection that is closed', () => {
  it.each([
    ['GET', 2],
    ['HEAD', 2],
    ['PUT', 2],
    ['DELETE', 2],
    ['OPTIONS', 2],
    ['POST', 1],
    ['PATCH', 1],
  ])('under %s is tried %i times', async (method, times) => {
    expect((await ask([`method ${method}`], [none('closed'), none('closed')])).sent).toHaveLength(times)
  })

  it('by a timeout is not retried', async () => {
    expect((await ask(['method GET'], [none('timeout')])).sent).toHaveLength(1)
  })
})

describe('the asker gives up', () => {
  /** What answers take, by how long they may be waited for. */
  it.each<[string, ProbeReply, (mostMs: number) => number, number, number]>([
    [
      'a point that never answers costs one wait',
      none('timeout'),
      (most) => Math.min(most, 31_000),
      2,
      35_000,
    ],
    ['so does one where little time is given', none('timeout'), (most) => Math.min(most, 1_500), 22, 33_000],
    ['one that closes each connection after 1.9 s gets 18', none('closed'), () => 1_900, 18, 34_200],
    ['one whose answers each take 20 s gets two', answer(200), () => 20_000, 2, 40_000],
    ['one whose answers each take 5 s gets eleven', answer(200), () => 5_000, 11, 55_000],
    ['one whose answers each take 2 s gets all', answer(200), () => 2_000, 40, 80_000],
  ])('%s', async (_what, reply, take, times, totalMs) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const sinceMs = performance.now()
    const { sent, told } = await ask(Array(40).fill('method GET'), Array(40).fill(reply), (mostMs) =>
      vi.advanceTimersByTime(take(mostMs)),
    )
    expect(sent).toHaveLength(times)
    expect(performance.now() - sinceMs).toBe(totalMs)
    expect(told.at(-1)).toBe(times === 40 ? 200 : 'gave-up')
  })

  it.each([
    ['plain', answer(200)],
    ['repeated', none('closed')],
    ['waited for', answer(429, '0')],
  ])('after 60 requests, those that were %s too', async (_what, reply) => {
    const { sent, told } = await ask(
      Array(70).fill('cookie GET'),
      Array.from({ length: 70 }, (_, i) => (i % 2 === 0 ? reply : answer(200))),
    )
    expect(sent).toHaveLength(60)
    expect(told.at(-1)).toBe('gave-up')
  })
})

function toQuestion(word: string): Question {
  const [purpose = '', method = ''] = word.split(' ')
  return { purpose: purpose as Purpose, marker: '', method, rest: '', fields: [], body: undefined }
}

function answer(status: number, retryAfter?: string): ProbeReply {
  const fields = retryAfter === undefined ? [] : ['Retry-After', retryAfter]
  return { kind: 'response', status, fields, body: '' }
}

function none(cause: NoResponse['cause']): ProbeReply {
  return { kind: 'none', cause, code: cause }
}
