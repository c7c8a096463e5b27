import { describe, expect, it } from 'vitest'
import { isOwnAuthority, ownAuthorities } from '../../src/sandbox/app.ts'

const authorities = ownAuthorities(4000, ['cobrowse.test', 'Other.Test:5000'])

describe('the authorities of the stand-in', () => {
  it.each([
    ['localhost:4000', true],
    ['[::1]:4000', true],
    ['LOCALHOST:4000', true],
    ['cobrowse.test', true],
    ['cobrowse.test:4000', true],
    ['other.test:5000', true],
    ['localhost', false],
    ['cobrowse.test:5000', false],
    ['localhost:4000:4000', false],
    ['user@localhost:4000', false],
    ['', false],
  ])('Host %j: %s', (host, own) => {
    expect(isOwnAuthority([host], authorities)).toBe(own)
  })

  it('match neither no Host line nor two', () => {
    expect(isOwnAuthority([], authorities)).toBe(false)
    expect(isOwnAuthority(['localhost:4000', 'localhost:4000'], authorities)).toBe(false)
  })

  it('refuse an addition that is not an authority', () => {
    expect(() => ownAuthorities(4000, ['http://cobrowse.test'])).toThrow(
      '"http://cobrowse.test" is not HOST or HOST:PORT',
    )
  })
})
