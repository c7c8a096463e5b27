import { expect, it } from 'vitest'
import { toClientLimit } from '../../src/serve/client-limit.ts'

it.each([
  ['no limit is known', undefined, 128, Number.POSITIVE_INFINITY],
  ['plenty', 65_536, 128, 65_352],
  ['the usual limit of a shell', 1_024, 128, 840],
  ['a worker of two', 1_024, 64, 904],
  ['a worker with one connection to the service', 1_024, 1, 967],
  ['more connections to the service than files: half of them', 256, 1_000, 100],
  ['hardly any', 64, 128, 4],
  ['one for a client, one for the service', 58, 128, 1],
  ['none to spare', 56, 128, 1],
  ['fewer than the process itself has open', 10, 128, 1],
])('most client connections: %s', (_, fileLimit, upstreamConnections, most) => {
  expect(toClientLimit(fileLimit, upstreamConnections)).toBe(most)
})
