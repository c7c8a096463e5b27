import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAuthority, serialiseAuthority } from '../../src/http/authority.ts'

describe('parseAuthority', () => {
  it.each([
    ['example.com', 'example.com', undefined],
    ['EXAMPLE.com', 'example.com', undefined],
    ['example.com:80', 'example.com', 80],
    ['example.com:', 'example.com', undefined],
    ['example.com:0', 'example.com', 0],
    ['example.com:00080', 'example.com', 80],
    ['example.com:65535', 'example.com', 65_535],
    ['example.com.', 'example.com.', undefined],
    ['localhost:8080', 'localhost', 8080],
    ['a_b.example', 'a_b.example', undefined],
    ['127.0.0.1:1', '127.0.0.1', 1],
    ['[::1]', '[::1]', undefined],
    ['[2001:DB8::1]:443', '[2001:db8::1]', 443],
    ['[::ffff:192.0.2.1]', '[::ffff:192.0.2.1]', undefined],
    ['ex%41mple', 'ex%41mple', undefined],
    // A comma is a sub-delim of RFC 3986: a name, though no host has it.
    ['example.com,other', 'example.com,other', undefined],
  ])('%j', (text, host, port) => {
    expect(parseAuthority(text)).toEqual({ host, port })
  })

  it.each([
    '',
    ':80',
    ' example.com',
    'example.com ',
    'exa mple',
    'user@example.com',
    '@example.com',
    'example.com/',
    'example.com?',
    'example.com#',
    'example.com\\',
    'example.com:65536',
    'example.com:999999',
    'example.com:-1',
    'example.com:+1',
    'example.com:8a',
    'example.com:80:80',
    'example.com: 80',
    '::1',
    '[::1',
    '::1]',
    '[]',
    '[v1.x]',
    '[::1]x',
    '[fe80::1%25eth0]',
    'ex%4',
    'ex%zz',
    'bücher.example',
    'a\u0000b',
    'a\r\nb',
  ])('%j is not one', (text) => {
    expect(parseAuthority(text)).toBeUndefined()
  })

  it('refuses quickly', () => {
    expect(parseAuthority(`${'a'.repeat(65_536)}@`)).toBeUndefined()
    expect(parseAuthority(`${'%41'.repeat(20_000)}@`)).toBeUndefined()
  })

  it('reads back what it writes', () => {
    const host = fc.stringMatching(/^[a-z0-9-]{1,10}(\.[a-z0-9-]{1,10}){0,3}$/)
    const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })
    fc.assert(
      fc.property(host, port, fc.constantFrom('http' as const, 'https' as const), (host, port, scheme) => {
        const text = serialiseAuthority({ host, port }, scheme)
        const { href } = new URL(`${scheme}://host.example${port === undefined ? '' : `:${port}`}/`)
        const isDefault = new URL(href).port === ''
        expect(parseAuthority(text)).toEqual({ host, port: isDefault ? undefined : port })
      }),
    )
  })
})

describe('serialiseAuthority', () => {
  it.each([
    ['a', undefined, 'http', 'a'],
    ['a', 80, 'http', 'a'],
    ['a', 443, 'https', 'a'],
    ['a', 443, 'http', 'a:443'],
    ['a', 80, 'https', 'a:80'],
    ['[::1]', 8080, 'http', '[::1]:8080'],
  ] as const)('%s %s on %s is %s', (host, port, scheme, text) => {
    expect(serialiseAuthority({ host, port }, scheme)).toBe(text)
  })
})
