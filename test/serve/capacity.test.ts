import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { exchangeBytes, planConcurrency, planMemory } from '../../src/serve/capacity.ts'
import type { Machine } from '../../src/serve/machine.ts'
import { startServe } from '../attacks/serve.ts'

const document = fileURLToPath(new URL('../../deploy/README.md', import.meta.url))
const cgroup = fileURLToPath(new URL('../attacks/cgroup.mjs', import.meta.url))
const MEBIBYTE = 1_048_576
const IDLE_BYTES = 80 * MEBIBYTE
/** The part of it that all processes share. */
const PROGRAM_BYTES = 44 * MEBIBYTE
const machine = (mebibytes: number, heapMebibytes = mebibytes / 2): Machine => ({
  memoryBytes: mebibytes * MEBIBYTE,
  memoryFrom: 'cgroup',
  heapBytes: heapMebibytes * MEBIBYTE,
  processors: 2,
})
const concurrency = (given: Machine, workers: number, headerBytes = 65_536) =>
  planConcurrency(planMemory(given, workers), headerBytes)

it.each([
  [
    'one process',
    256,
    1,
    /"level":"info".*"concurrentRequests":332,.*"heapBytes":134217728,.*"msg":"capacity"/,
  ],
  [
    'one process that has no room',
    100,
    1,
    /"level":"warn".*"concurrentRequests":16,.*"msg":"memory is too small: /,
  ],
  [
    'two workers that have no room',
    192,
    2,
    /"level":"warn".*"concurrentRequests":16,.*"msg":"memory is too small for so many workers: .*start fewer/,
  ],
])('at the start the log says what %s can hold in %i MiB', async (_what, mebibytes, workers, line) => {
  const serve = await startServe(
    'http://127.0.0.1:9',
    { workers },
    {
      nodeFlags: ['--max-old-space-size=128', '--import', cgroup],
      env: {
        CGROUP_FILES: JSON.stringify({
          '/proc/self/cgroup': '0::/\n',
          '/sys/fs/cgroup/memory.max': `${mebibytes * MEBIBYTE}\n`,
        }),
      },
    },
  )
  await serve.program.printed(line)
})

describe('how many exchanges fit into the memory', () => {
  it('in a small container: what fits beside an idle process', () => {
    const count = concurrency(machine(256), 1)
    expect(count).toBeGreaterThan(100)
    expect(70 * MEBIBYTE + count * exchangeBytes(65_536)).toBeLessThan(0.85 * 256 * MEBIBYTE)
  })

  it('on any ordinary machine: 1024', () => {
    expect(concurrency(machine(2_048), 1)).toBe(1_024)
  })

  it('with less than an idle process takes: still a few', () => {
    expect(concurrency(machine(64), 1)).toBe(16)
  })

  it.each([2, 3])('is shared by %i workers', (workers) => {
    const [one, each] = [concurrency(machine(512), 1), concurrency(machine(512), workers)]
    expect(each * workers).toBeLessThan(one)
    expect(each).toBeGreaterThan(64)
  })

  it.each([2, 3, 8])(
    'leaves room for one more process beside %i workers, while they are replaced',
    (workers) => {
      const ownBytes = planMemory(machine(1_024), workers).memoryBytes - PROGRAM_BYTES
      const primaryBytes = IDLE_BYTES - PROGRAM_BYTES
      expect(PROGRAM_BYTES + primaryBytes + (workers + 1) * ownBytes).toBeLessThanOrEqual(1_024 * MEBIBYTE)
    },
  )

  it('grows as heads get smaller', () => {
    expect(concurrency(machine(256), 1, 8_192)).toBeGreaterThan(concurrency(machine(256), 1))
  })

  it('is what the table of the document says', () => {
    const rows = [...readFileSync(document, 'utf8').matchAll(/^\| (\d+) (MiB|GiB) \|([ \d|]+)\|$/gm)]
    expect(rows.length).toBeGreaterThan(3)
    for (const [row, size, unit, counts = ''] of rows) {
      const memory = machine(Number(size) * (unit === 'GiB' ? 1_024 : 1))
      const said = counts.split('|').map(Number)
      expect(
        [1, 2, 4].map((workers) => concurrency(memory, workers)),
        row,
      ).toEqual(said)
    }
  })

  it('is limited by the heap if that is smaller', () => {
    expect(concurrency(machine(2_048, 64), 1)).toBeLessThan(concurrency(machine(2_048, 128), 1))
  })
})
