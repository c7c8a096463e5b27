import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it, onTestFinished } from 'vitest'
import { BodyCopy } from '../../src/edge/body-copy.ts'

const MIB = 2 ** 20

// With each piece kept, one connection of 2 MB ended a process with a heap of 128 MB.
it('takes hardly more than the octets of a body that comes octet by octet', () => {
  const copy = openCopy()
  const before = countHeldBytes()
  for (let i = 0; i < MIB; i += 1) copy.append(Uint8Array.of(i))
  expect(countHeldBytes() - before).toBeLessThan(3 * MIB)
  expect(copy.isWhole).toBe(true)
  const sent = Buffer.from(Array.from({ length: MIB }, (_, i) => i))
  expect(sent.equals(copy.octets)).toBe(true)
})

it.each([
  ['2 MiB in one piece', [2 * MIB], true],
  ['2 MiB in several', [MIB, MIB - 1, 1], true],
  ['more than its salt beyond', [2 * MIB, 33], false],
  ['more, and then less', [3 * MIB, 1], false],
])('is whole up to 2 MiB: %s', (_what, sizes, isWhole) => {
  const copy = openCopy()
  for (const size of sizes) copy.append(new Uint8Array(size).fill(1))
  const octets = sizes.reduce((sum, size) => sum + size, 0)
  expect([copy.isWhole, copy.octets.length]).toEqual(isWhole ? [true, octets] : [false, 0])
})

it('is given up where all together would take more than 16 MiB, until others are dropped', () => {
  const copies = Array.from({ length: 9 }, openCopy)
  for (const copy of copies) copy.append(new Uint8Array(2 * MIB))
  expect(copies.filter(({ isWhole }) => isWhole)).toHaveLength(8)
  copies[0]?.drop()
  const next = openCopy()
  next.append(new Uint8Array(2 * MIB))
  expect(next.isWhole).toBe(true)
})

function openCopy(): BodyCopy {
  const copy = new BodyCopy()
  onTestFinished(() => copy.drop())
  return copy
}

function countHeldBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
