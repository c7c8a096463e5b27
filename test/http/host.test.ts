import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ipVersionOf } from '../../src/http/host.ts'

describe('the version of an IP address', () => {
  it.each([
    ['127.0.0.1', 4],
    ['255.255.255.255', 4],
    ['::1', 6],
    ['2001:DB8::1', 6],
    ['::ffff:192.0.2.1', 6],
    ['fe80::1%eth0', 6],
    ['256.0.0.1', undefined],
    ['01.2.3.4', undefined],
    ['1.2.3', undefined],
    ['1.2.3.4.', undefined],
    ['1.2.3.4%eth0', undefined],
    ['::1%', undefined],
    ['[::1]', undefined],
    ['1:2', undefined],
    ['', undefined],
    ['localhost', undefined],
  ])('%s: %s', (text, version) => {
    expect(ipVersionOf(text)).toBe(version)
  })

  it("is what Node's isIP says", () => {
    const text = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string({ unit: fc.constantFrom(...'0125:.%af'), maxLength: 20 }),
    )
    fc.assert(
      fc.property(text, (each) => (ipVersionOf(each) ?? 0) === isIP(each)),
      { numRuns: 20_000 },
    )
  })
})
