import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { exchangeBytes, planClientConnections, planConcurrency } from '../../src/serve/capacity.ts'
import { startServe } from '../attacks/serve.ts'

const document = fileURLToPath(new URL('../../deploy/README.md', import.meta.url))
const constrained = fileURLToPath(new URL('../attacks/constrained-memory.mjs', import.meta.url))
const MEBIBYTE = 1_048_576
const concurrency = (mebibytes: number, heapMebibytes = mebibytes / 2, headerBytes = 65_536) =>
  planConcurrency({ memoryBytes: mebibytes * MEBIBYTE, heapBytes: heapMebibytes * MEBIBYTE }, headerBytes)

it.each([
  [256, /"level":"info".*"concurrentRequests":332,.*"heapBytes":134217728,.*"msg":"capacity"/],
  [100, /"level":"warn".*"concurrentRequests":16,.*"msg":"memory is too small: /],
])('at the start the log says what %i MiB can hold', async (mebibytes, line) => {
  const serve = await startServe(
    'http://127.0.0.1:9',
    {},
    {
      nodeFlags: ['--max-old-space-size=128', '--import', constrained],
      env: { CONSTRAINED_MEMORY: `${mebibytes * MEBIBYTE}` },
    },
  )
  await serve.program.printed(line)
})

describe('how many exchanges fit into the memory', () => {
  it('in a small container: what fits beside an idle process', () => {
    const count = concurrency(256)
    expect(count).toBeGreaterThan(100)
    expect(70 * MEBIBYTE + count * exchangeBytes(65_536)).toBeLessThan(0.85 * 256 * MEBIBYTE)
  })

  it('on any ordinary machine: 1024', () => {
    expect(concurrency(2_048)).toBe(1_024)
  })

  it('with less than an idle process takes: still a few', () => {
    expect(concurrency(64)).toBe(16)
  })

  it('grows as heads get smaller', () => {
    expect(concurrency(256, 128, 8_192)).toBeGreaterThan(concurrency(256))
  })

  it('is what the table of the document says', () => {
    const rows = [...readFileSync(document, 'utf8').matchAll(/^\| (\d+) (MiB|GiB) \| (\d+) \|$/gm)]
    expect(rows.length).toBeGreaterThan(3)
    for (const [row, size, unit, count] of rows)
      expect(concurrency(Number(size) * (unit === 'GiB' ? 1_024 : 1)), row).toBe(Number(count))
  })

  it('is limited by the heap if that is smaller', () => {
    expect(concurrency(2_048, 64)).toBeLessThan(concurrency(2_048, 128))
  })
})

const PLENTY = 64 * 1024

it.each<[string, number, number, 'http' | 'https', number | undefined, number, number, 'files' | 'memory']>([
  ['no limit of files is known', PLENTY, PLENTY, 'http', undefined, 128, 59_278, 'memory'],
  ['plenty of files', PLENTY, PLENTY, 'http', 65_536, 128, 59_278, 'memory'],
  ['the usual limit of a shell', PLENTY, PLENTY, 'http', 1_024, 128, 840, 'files'],
  ['half as many connections to the service', PLENTY, PLENTY, 'http', 1_024, 64, 904, 'files'],
  ['one connection to the service', PLENTY, PLENTY, 'http', 1_024, 1, 967, 'files'],
  ['more connections to the service than files: half', PLENTY, PLENTY, 'http', 256, 1_000, 100, 'files'],
  ['hardly any file', PLENTY, PLENTY, 'http', 64, 128, 4, 'files'],
  ['one for a client, one for the service', PLENTY, PLENTY, 'http', 58, 128, 1, 'files'],
  ['no file to spare', PLENTY, PLENTY, 'http', 56, 128, 1, 'files'],
  ['fewer files than the process itself has open', PLENTY, PLENTY, 'http', 10, 128, 1, 'files'],
  ['a small heap', PLENTY, 128, 'http', 20_000, 128, 659, 'memory'],
  ['a small container', 256, 128, 'http', 20_000, 128, 559, 'memory'],
  ['a small container with TLS', 256, 128, 'https', 20_000, 128, 475, 'memory'],
  ['a small heap, and few files', PLENTY, 128, 'http', 512, 128, 328, 'files'],
  ['no memory', 0, 0, 'http', 20_000, 128, 16, 'memory'],
])('most client connections: %s', (_, memory, heap, scheme, files, upstream, most, limitedBy) => {
  const room = { memoryBytes: memory * MEBIBYTE, heapBytes: heap * MEBIBYTE }
  expect(
    planClientConnections(room, scheme, files, { upstreamConnections: upstream, headerBytes: 65_536 }),
  ).toEqual({ clientConnections: most, limitedBy })
})
