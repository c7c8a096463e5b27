import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import {
  type ExportProgress,
  exportHistory,
  type HistoryOrder,
  toSlices,
} from '../../../src/account/history/export-history.ts'
import { createClient, type History } from '../../../src/api/index.ts'
import { session } from '../../api/support/samples.ts'
import { type Respond, startStub } from '../../api/support/stub-service.ts'

const from = Date.UTC(2026, 0, 1)
const day = 86_400_000
const hour = 3_600_000

/** Exports so many hours of a history, as one JSON object on each line. */
async function exportHours(history: History, hours: number, more: Partial<HistoryOrder> = {}) {
  const told: string[] = []
  const kept: ExportProgress[] = []
  let text = ''
  const order: HistoryOrder = {
    ...{ history, api: '', account: '', fromMs: from, toMs: from + hours * hour, format: 'ndjson' },
    signal: new AbortController().signal,
    nowMs: Date.now,
    tell: (line) => told.push(line),
    openProgress: () => ({ show: () => {}, close: () => {} }),
    ...more,
  }
  const target = {
    append: async (more: string) => {
      text += more
    },
    keep: async (progress: ExportProgress) => void kept.push(progress),
  }
  const sessions = await exportHistory(order, target, { slices: 0, sessions: 0 })
  const items = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  return { sessions, told, kept, items }
}

/** The history of a service that answers like this, and what it was asked. */
async function stubHistory(answer: Respond) {
  const { baseUrl, arrivals } = await startStub(answer)
  return { arrivals, history: createClient({ baseUrl, apiKey: 'demo-api-key' }).history }
}

const lastPage = (results: readonly object[]) => ({ body: { next: null, previous: null, results } })

it('writes a session that moved to the next page once, and keeps no slice that may still grow', async () => {
  const { history } = await stubHistory(({ query }) => {
    const asked = Object.fromEntries(query)
    const { page, min_date = '' } = asked
    const items = (...names: readonly string[]) =>
      names.map((name) => ({ ...session, session_id: `${min_date} ${name}`, start_time: min_date }))
    if (page === '2') return lastPage(items('b', 'c'))
    const next = `?${new URLSearchParams({ ...asked, page: '2' })}`
    return { body: { next, previous: null, results: items('a', 'b') } }
  })
  const nowMs = () => from + 2.5 * hour
  const { sessions, told, kept, items } = await exportHours(history, 3, { nowMs })
  const slices = toSlices({ fromMs: from, toMs: from + 3 * hour })
  const ids = slices.flatMap(({ min_date }) => ['a', 'b', 'c'].map((name) => `${min_date} ${name}`))
  expect(items.map(({ session_id }) => session_id)).toEqual(ids)
  expect([sessions, told]).toEqual([9, []])
  expect(kept).toEqual([
    { slices: 1, sessions: 3 },
    { slices: 2, sessions: 6 },
  ])
})

it('writes each session once, and none from outside the range, if the service ignores the range', async () => {
  const times = [
    ['2025-12-31T23:59:59.999999Z', false],
    ['2026-01-01T00:00:00.000000Z', true],
    ['2026-01-01T00:59:59.999999Z', true],
    ['2026-01-01T01:00:00.000000Z', true],
    ['2026-01-01T01:30:00.000000', true],
    ['2026-01-01T03:30:00.000000+01:00', true],
    ['2026-01-01T03:00:00.000000Z', false],
  ] as const
  const results = times.map(([start_time], index) => ({ ...session, session_id: String(index), start_time }))
  const { history } = await stubHistory(lastPage(results))
  const { sessions, told, items } = await exportHours(history, 3)
  expect(items.map(({ start_time }) => start_time)).toEqual(
    times.flatMap(([time, isInside]) => (isInside ? [time] : [])),
  )
  expect([sessions, told]).toEqual([5, [expect.stringContaining(`Left out ${3 * times.length - 5} results`)]])
})

it('keeps a session whose time it can’t read, since it may be in the range', async () => {
  const { history } = await stubHistory(lastPage([{ ...session, start_time: 'no time' }]))
  const { sessions, told, items } = await exportHours(history, 1)
  expect([sessions, told, items]).toMatchObject([1, [], [{ start_time: 'no time' }]])
})

it('ends when its caller says so', async () => {
  const abort = new AbortController()
  const { history, arrivals } = await stubHistory(() => {
    abort.abort()
    return lastPage([])
  })
  await expect(exportHours(history, 3, { signal: abort.signal })).rejects.toMatchObject({ kind: 'aborted' })
  expect(arrivals).toHaveLength(1)
})

test('slices touch, cover the range and nothing else, and are few', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 1, max: 20 * 365 * day }),
      (fromMs, lengthMs) => {
        const slices = toSlices({ fromMs, toMs: fromMs + lengthMs })
        expect(slices.length).toBeLessThanOrEqual(30)
        expect(slices[0]?.min_date).toBe(new Date(fromMs).toISOString())
        expect(slices.at(-1)?.max_date).toBe(new Date(fromMs + lengthMs).toISOString())
        for (const [index, { min_date, max_date }] of slices.entries()) {
          expect(Date.parse(min_date)).toBeLessThan(Date.parse(max_date))
          if (index > 0) expect(min_date).toBe(slices[index - 1]?.max_date)
        }
      },
    ),
  )
})

test.each([
  [day, 24],
  [30 * day, 30],
  [1, 1],
])('%i ms are %i slices', (toMs, count) => {
  expect(toSlices({ fromMs: 0, toMs })).toHaveLength(count)
})
