import { expect, it, onTestFinished } from 'vitest'
import { type Clock, createClient } from '../../src/api/index.ts'
import { type ExportProgress, exportHistory } from '../../src/export/export-history.ts'
import { historyWritings } from '../../src/export/history-format.ts'
import { toSlices } from '../../src/export/slices.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { session } from '../api/support/samples.ts'
import { startStub } from '../api/support/stub-service.ts'

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

const run = { before: { slices: 0, sessions: 0 }, writing: historyWritings.ndjson, show: () => {} }

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
  const slices = toSlices({ fromMs: from, toMs: from + 24 * hour })
  const { signal } = new AbortController()
  const { history } = client
  const count = await exportHistory({ ...run, history, slices, target: into, signal, nowMs: clock.nowMs })
  expect(count).toBe(150)
  expect(into.written.text.trimEnd().split('\n')).toHaveLength(150)
  expect(into.written.kept.at(-1)).toEqual({ slices: 24, sessions: 150 })
  expect(sleptMs).toBeGreaterThan(0)
})

it('writes a session that moved to the next page once, and keeps no slice that may still grow', async () => {
  const item = (session_id: string) => ({ ...session, session_id })
  const { baseUrl } = await startStub(({ query }) => {
    const { page, min_date = '' } = Object.fromEntries(query)
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
  const slices = toSlices({ fromMs: from, toMs: from + 3 * hour })
  const { signal } = new AbortController()
  const nowMs = () => from + 2.5 * hour
  const count = await exportHistory({ ...run, history, slices, target: into, signal, nowMs })
  const ids = into.written.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).session_id)
  expect(ids).toEqual(slices.flatMap(({ min_date }) => ['a', 'b', 'c'].map((name) => `${min_date} ${name}`)))
  expect(count).toBe(9)
  expect(into.written.kept).toEqual([
    { slices: 1, sessions: 3 },
    { slices: 2, sessions: 6 },
  ])
})

it('ends at the given time', async () => {
  const { baseUrl, arrivals } = await startStub({ body: { next: null, previous: null, results: [] } })
  const abort = new AbortController()
  const { history } = createClient({ baseUrl, apiKey: 'demo-api-key' })
  const slices = toSlices({ fromMs: from, toMs: from + 3 * hour })
  const into = { ...target(), keep: async () => abort.abort() }
  const exported = exportHistory({
    ...run,
    history,
    slices,
    target: into,
    signal: abort.signal,
    nowMs: Date.now,
  })
  await expect(exported).rejects.toMatchObject({ kind: 'aborted' })
  expect(arrivals).toHaveLength(1)
})
