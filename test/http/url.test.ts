import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDotSegment, parseHttpUrl, parseUrl, redactUrl } from '../../src/http/url.ts'

it.each([
  ['https://www.example.com/', undefined, 'https://www.example.com/'],
  ['https://b\u00fccher.example/', undefined, 'https://xn--bcher-kva.example/'],
  ['https://example.com:99999/', undefined, undefined],
  ['www.example.com', undefined, undefined],
  ['/a', 'https://www.example.com/', 'https://www.example.com/a'],
  ['//[', 'https://www.example.com/', undefined],
])('%s, from %s: %s', (text, base, href) => {
  expect(parseUrl(text, base)?.href).toBe(href)
})

it('gives the same result for a host with an umlaut each time', () => {
  const said = new Set(Array.from({ length: 20_000 }, () => parseUrl('https://b\u00fccher.example/')?.href))
  expect([...said]).toEqual(['https://xn--bcher-kva.example/'])
})

it.each([
  ['HTTPS://www.example.com', 'https://www.example.com/'],
  ['http:www.example.com', undefined],
  ['ftp://www.example.com/', undefined],
  ['http://', undefined],
])('%s as an http or https URL: %s', (text, href) => {
  expect(parseHttpUrl(text)?.href).toBe(href)
})

const DOTS = ['.', '%2e', '%2E']
const BOUNDS = ['/', '%2f', '%2F', '\\', '%5c', '%5C']

describe('findDotSegment', () => {
  const segments = [...DOTS, ...DOTS.flatMap((first) => DOTS.map((second) => first + second))]

  it.each(segments)('finds %s wherever it stands', (segment) => {
    for (const before of BOUNDS) {
      expect(findDotSegment(`/x${before}${segment}`)).toBe(segment)
      for (const after of BOUNDS) expect(findDotSegment(`/x${before}${segment}${after}y`)).toBe(segment)
    }
    expect(findDotSegment(segment)).toBe(segment)
    expect(findDotSegment(`${segment}/x`)).toBe(segment)
  })

  it.each(['', '/x/...', '/x/..;a=b/y', '/x/%252e%252e/y', '/x/..%00', '/x/%e2%2e', '/x/．．/y'])(
    'finds none in %j',
    (path) => {
      expect(findDotSegment(path)).toBeUndefined()
    },
  )

  it('agrees with decoding first and splitting then', () => {
    const piece = fc.constantFrom(...DOTS, ...BOUNDS, 'a', ';', '%25', '%2', '%')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const path = pieces.join('')
        const decoded = path.replace(/%(2e|2f|5c)/gi, (octet) => decodeURIComponent(octet))
        const has = decoded.split(/[/\\]/).some((segment) => segment === '.' || segment === '..')
        expect(findDotSegment(path) !== undefined).toBe(has)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a URL as it is shown', () => {
  it.each([
    ['https://www.example.com/shop/', 'https://www.example.com/shop/'],
    ['https://h:8443/@scope/x', 'https://h:8443/@scope/x'],
    ['https://h/?', 'https://h/?'],
    ['https://h/x?key=1#y', 'https://h/x?…'],
    ['https://h/x#y', 'https://h/x#…'],
    ['https://h/x#y?key=1', 'https://h/x#…'],
    ['https://u:p@h/x', 'https://…@h/x'],
    ['HTTPS://u:p@h/x', 'HTTPS://…@h/x'],
    ['https://u:p@h/@scope/', 'https://…@scope/'],
    ['https://user:pa/ss@h/x', 'https://…@h/x'],
    ['https://user:12/34@h/x', 'https://…@h/x'],
    ['https://user:pa\\ss@h/x', 'https://…@h/x'],
    ['https://user:p@ss@h/x', 'https://…@h/x'],
    ['https://user:pa ss@h/x', 'https://…@h/x'],
    ['https://user:pa\nss@h/x', 'https://…@h/x'],
    ['https://user:se?cret@h/x', 'https://…'],
    ['https://user:se#cret@h/x', 'https://…'],
    ['https://user:?cret@h/x', 'https://…'],
    ['https://h/x?mail=a@b', 'https://…'],
    ['https:u:p@h', 'https:…@h'],
    ['//u:p@h', '…@h'],
    ['u:p@h', '…@h'],
    ['secret://u:p@h', '…@h'],
    ['u:p?x@h', '…'],
    ['not a URL', 'not a URL'],
    ['', ''],
  ])('%j: %j', (text, shown) => {
    expect(redactUrl(text)).toBe(shown)
  })
})
