import { expect, it, onTestFinished } from 'vitest'
import { type ExportProgress, exportHistory } from '../../../src/account/history/export-history.ts'
import { toSlices } from '../../../src/account/history/slices.ts'
import { type Clock, createClient } from '../../../src/api/index.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { session } from '../../api/support/samples.ts'
import { startStub } from '../../api/support/stub-service.ts'

const from = Date.UTC(2026, 0, 1)
const hour = 3_600_000
const minute = 60_000

function target() {
  const written = { text: '', kept: [] as ExportProgress[] }
  return {
    written,
    append: async (text: string) => {
      written.text += text
    },
    keep: async (progress: ExportProgress) => void written.kept.push(progress),
  }
}

const nothing = { slices: 0, sessions: 0 }

it('waits for its turn instead of being refused', async () => {
  const time = { nowMs: from + 30 * hour }
  const sandbox = await startSandbox({
    nowMs: () => time.nowMs,
    seed: {
      pageSize: 1,
      sessions: Array.from({ length: 150 }, (_, index) => ({
        start_url: 'https://www.example.com/',
        start_time: from + index * 9 * minute,
        duration: 60,
      })),
    },
  })
  onTestFinished(() => sandbox.close())
  let sleptMs = 0
  const clock: Clock = {
    nowMs: () => time.nowMs,
    sleep: async (ms) => {
      sleptMs += ms
      time.nowMs += ms
    },
  }
  const client = createClient({ baseUrl: `${sandbox.url}/v2`, apiKey: 'demo-api-key', clock, retries: 0 })
  const into = target()
  const range = { fromMs: from, toMs: from + 24 * hour }
  const { signal } = new AbortController()
  const { history } = client
  const done = await exportHistory(
    { history, ...range, format: 'ndjson', signal, nowMs: clock.nowMs },
    into,
    nothing,
  )
  expect(done).toEqual({ sessions: 150, strays: 0 })
  expect(into.written.text.trimEnd().split('\n')).toHaveLength(150)
  expect(into.written.kept.at(-1)).toEqual({ slices: 24, sessions: 150 })
  expect(sleptMs).toBeGreaterThan(0)
})

it('writes a session that moved to the next page once, and keeps no slice that may still grow', async () => {
  const { baseUrl } = await startStub(({ query }) => {
    const { page, min_date = '' } = Object.fromEntries(query)
    const item = (session_id: string) => ({ ...session, session_id, start_time: min_date })
    const isLast = page === '2'
    const results = isLast
      ? [item(`${min_date} b`), item(`${min_date} c`)]
      : [item(`${min_date} a`), item(`${min_date} b`)]
    const parameters = new URLSearchParams()
    for (const [name, value] of query) parameters.append(name, value)
    parameters.append('page', '2')
    const next = isLast ? null : `?${parameters}`
    return { body: { next, previous: null, results } }
  })
  const { history } = createClient({ baseUrl, apiKey: 'demo-api-key' })
  const into = target()
  const range = { fromMs: from, toMs: from + 3 * hour }
  const { signal } = new AbortController()
  const nowMs = () => from + 2.5 * hour
  const done = await exportHistory({ history, ...range, format: 'ndjson', signal, nowMs }, into, nothing)
  const ids = into.written.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).session_id)
  expect(ids).toEqual(
    toSlices(range).flatMap(({ min_date }) => ['a', 'b', 'c'].map((name) => `${min_date} ${name}`)),
  )
  expect(done).toEqual({ sessions: 9, strays: 0 })
  expect(into.written.kept).toEqual([
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
  const { baseUrl } = await startStub({ body: { next: null, previous: null, results } })
  const { history } = createClient({ baseUrl, apiKey: 'demo-api-key' })
  const into = target()
  const range = { fromMs: from, toMs: from + 3 * hour }
  const { signal } = new AbortController()
  const done = await exportHistory(
    { history, ...range, format: 'ndjson', signal, nowMs: Date.now },
    into,
    nothing,
  )
  const written = into.written.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).start_time)
  expect(written).toEqual(times.flatMap(([time, isInside]) => (isInside ? [time] : [])))
  expect(done).toEqual({ sessions: 5, strays: 3 * times.length - 5 })
})

it('keeps a session whose time it can’t read, since it may be in the range', async () => {
  const results = [{ ...session, start_time: 'no time' }]
  const { baseUrl } = await startStub({ body: { next: null, previous: null, results } })
  const { history } = createClient({ baseUrl, apiKey: 'demo-api-key' })
  const into = target()
  const range = { fromMs: from, toMs: from + hour }
  const { signal } = new AbortController()
  const done = await exportHistory(
    { history, ...range, format: 'ndjson', signal, nowMs: Date.now },
    into,
    nothing,
  )
  expect(done).toEqual({ sessions: 1, strays: 0 })
  expect(JSON.parse(into.written.text).start_time).toBe('no time')
})

it('ends at the given time', async () => {
  const { baseUrl, arrivals } = await startStub({ body: { next: null, previous: null, results: [] } })
  const abort = new AbortController()
  const { history } = createClient({ baseUrl, apiKey: 'demo-api-key' })
  const range = { fromMs: from, toMs: from + 3 * hour }
  const into = { ...target(), keep: async () => abort.abort() }
  const exported = exportHistory(
    { history, ...range, format: 'ndjson', signal: abort.signal, nowMs: Date.now },
    into,
    nothing,
  )
  await expect(exported).rejects.toMatchObject({ kind: 'aborted' })
  expect(arrivals).toHaveLength(1)
})
