import { expect, it } from 'vitest'
import { planClientConnections } from '../../src/serve/client-limit.ts'

const MEBIBYTE = 1_048_576
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
