import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDotSegment } from '../../src/http/dot-segment.ts'

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
