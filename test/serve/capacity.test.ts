import { describe, expect, it } from 'vitest'
import { exchangeBytes, toConcurrency, toRoom } from '../../src/serve/capacity.ts'
import type { Machine } from '../../src/serve/machine.ts'

const MEBIBYTE = 1_048_576
const machine = (mebibytes: number, heapMebibytes = mebibytes / 2): Machine => ({
  memoryBytes: mebibytes * MEBIBYTE,
  memoryFrom: 'cgroup',
  heapBytes: heapMebibytes * MEBIBYTE,
  processors: 2,
})
const concurrency = (given: Machine, workers: number, headerBytes = 65_536) =>
  toConcurrency(toRoom(given, workers), headerBytes)

describe('how many exchanges fit into the memory', () => {
  it('of a small container: they and an idle process stay within it', () => {
    const count = concurrency(machine(256), 1)
    expect(count).toBeGreaterThan(100)
    expect(70 * MEBIBYTE + count * exchangeBytes(65_536)).toBeLessThan(0.85 * 256 * MEBIBYTE)
  })

  it('of any ordinary machine: 1024', () => {
    expect(concurrency(machine(2_048), 1)).toBe(1_024)
  })

  it('less than an idle process takes: a few all the same', () => {
    expect(concurrency(machine(64), 1)).toBe(16)
  })

  it.each([2, 3])('is shared by %i workers', (workers) => {
    const [one, each] = [concurrency(machine(512), 1), concurrency(machine(512), workers)]
    expect(each * workers).toBeLessThan(one)
    expect(each).toBeGreaterThan(64)
  })

  it('grows as heads get smaller', () => {
    expect(concurrency(machine(256), 1, 8_192)).toBeGreaterThan(concurrency(machine(256), 1))
  })

  it('is bound by the heap where that is smaller', () => {
    expect(concurrency(machine(2_048, 64), 1)).toBeLessThan(concurrency(machine(2_048, 128), 1))
  })
})
