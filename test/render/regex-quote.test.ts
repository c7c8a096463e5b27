import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteDecodedRegex, quoteRegex } from '../../src/render/regex-quote.ts'

const ascii = fc.string({ unit: fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)) })

describe('quoteRegex', () => {
  it('gives a pattern that matches the text and nothing else', () => {
    fc.assert(
      fc.property(ascii, ascii, (text, other) => {
        const pattern = new RegExp(`^(?:${quoteRegex(text)})$`)
        expect(pattern.test(text)).toBe(true)
        expect(pattern.test(other)).toBe(other === text)
      }),
    )
  })

  it('leaves nothing that a configuration syntax could trip over', () => {
    fc.assert(
      fc.property(ascii, (text) => {
        expect(quoteRegex(text)).toMatch(/^(?:[A-Za-z0-9/_-]|\\\.|\\x[0-9a-f]{2})*$/)
      }),
    )
  })
})

describe('quoteDecodedRegex', () => {
  it.each([
    ['/caf%C3%A9/', '/caf\\xc3\\xa9/'],
    ['/%24/', '/\\x24/'],
    ['/%zz/', '/\\x25zz/'],
    ['/%25/', '/\\x25/'],
    ['/a.b/', '/a\\.b/'],
  ])('%s is matched as %s', (path, pattern) => {
    expect(quoteDecodedRegex(path)).toBe(pattern)
  })
})
