import { expect, it } from 'vitest'
import { toLoggedAddress } from '../../src/serve/access-log.ts'

it.each([
  ['192.0.2.129', '192.0.2.0'],
  ['10.0.0.1', '10.0.0.0'],
  ['255.255.255.255', '255.255.255.0'],
  ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3::'],
  ['2001:db8::1', '2001:db8:0::'],
  ['2001:db8:1::', '2001:db8:1::'],
  ['2001::8d3:1319:8a2e:370:7348', '2001:0:0::'],
  ['::1', '0:0:0::'],
  ['fe80::1%eth0', 'fe80:0:0::'],
  ['::', '0:0:0::'],
  ['1:2::4:5:6:7:8%eth0:1', '1:2:0::'],
])('log.clientAddress "truncated" writes %s as %s', (address, logged) => {
  expect(toLoggedAddress(address, 'truncated')).toBe(logged)
})

it.each(['192.0.2.129', '2001:db8::1'])(
  'log.clientAddress "full" writes all of %s, "omit" nothing',
  (address) => {
    expect(toLoggedAddress(address, 'full')).toBe(address)
    expect(toLoggedAddress(address, 'omit')).toBeUndefined()
  },
)

it.each(['truncated', 'full', 'omit'] as const)(
  'log.clientAddress "%s" writes nothing without an address',
  (form) => {
    expect(toLoggedAddress('', form)).toBeUndefined()
  },
)
