/*
 * The uploads of memory.test.ts, larger, in a control group whose limit the kernel enforces: it kills a program that takes
 * more. `SHOW_FIGURES=1` prints what was measured.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { openMemoryGroup } from '../support/memory-group.ts'
import { listening } from '../support/program.ts'
import { MEBIBYTE, startServe } from './serve.ts'
import { numberIn, REFUSED, settled, startStalledService, startUploads } from './stalled-uploads.ts'

const LIMIT_BYTES = 256 * MEBIBYTE
const UPLOADS = 1_000
const DRAIN_MS = 2_000

const tried = openMemoryGroup(LIMIT_BYTES)
const why = 'reason' in tried ? ` (not here: ${tried.reason})` : ''
if ('remove' in tried) tried.remove()

it.skipIf(why !== '')(`the groups of a run that was killed are removed by the next one${why}`, () => {
  const own = openMemoryGroup(LIMIT_BYTES)
  if ('reason' in own) throw new Error(own.reason)
  const folder = dirname(own.procs)
  const leftOver = folder.replace(`-${process.pid}-`, `-${spawnSync('true').pid}-`)
  mkdirSync(leftOver)
  const next = openMemoryGroup(LIMIT_BYTES)
  expect([existsSync(leftOver), existsSync(folder)]).toEqual([false, true])
  own.remove()
  if ('remove' in next) next.remove()
})

it.skipIf(why !== '')(
  `${UPLOADS} uploads in 256 MiB: /livez answers, SIGTERM works${why}`,
  { timeout: 120_000 },
  async () => {
    const group = openMemoryGroup(LIMIT_BYTES)
    if ('reason' in group) throw new Error(group.reason)
    onTestFinished(() => group.remove())
    const serve = await startServe(
      await startStalledService(),
      { timeouts: { drain: `${DRAIN_MS}ms` } },
      { procs: group.procs },
    )
    const probes = startProbes(await listening(serve.program, 'admin'))
    await startUploads(serve, UPLOADS, 2 * MEBIBYTE)
    const metrics = await settled(serve)
    const waitsMs = await probes.stop()
    const signalledAt = performance.now()
    serve.program.signal('SIGTERM')
    const code = await serve.program.ended()
    const endedMs = performance.now() - signalledAt
    if (process.env.SHOW_FIGURES !== undefined) {
      console.log({
        refused: numberIn(metrics, REFUSED),
        peakMebibytes: Math.round((group.peakBytes() ?? 0) / MEBIBYTE),
        probes: waitsMs.length,
        slowestMs: Math.round(waitsMs.at(-1) ?? 0),
        endedMs: Math.round(endedMs),
      })
    }
    expect(code).toBe(1)
    // Without its limits the program was silent for 49 s here, and did not hear SIGTERM for 40 s.
    expect(waitsMs[waitsMs.length >> 1], 'the median of the probes, ms').toBeLessThan(1_000)
    expect(endedMs, 'the drain, and what a busy machine adds').toBeLessThan(DRAIN_MS + 20_000)
  },
)

/** Asks `/livez` all the time in a thread of its own, so that nothing but the program delays it. */
function startProbes(admin: URL): { stop(): Promise<readonly number[]> } {
  const thread = new Worker(new URL('probe-waits.mjs', import.meta.url), {
    workerData: new URL('/livez', admin).href,
  })
  const waits = new Promise<number[]>((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
  return {
    stop: async () => {
      thread.postMessage('stop')
      return (await waits).sort((a, b) => a - b)
    },
  }
}
