import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRequestTarget } from '../../src/http/request-target.ts'

// What is read, and what is refused, is in test/compliance/rfc9112-3.2-request-target.test.ts.
describe('parseRequestTarget', () => {
  const pieces = [
    '/',
    '.',
    '%2e',
    '%2f',
    '\\',
    '?',
    '#',
    'a',
    '%',
    '00',
    'http://',
    'x.y',
    ':80',
    '@',
    '*',
    ' ',
  ]
  const target = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((chosen) => chosen.join('')),
  )

  it('never throws, and returns only octets that arrived', () => {
    fc.assert(
      fc.property(target, (raw) => {
        const parsed = parseRequestTarget(raw)
        if (parsed === undefined) return
        // A path that was left out of an absolute-form target is the one thing that is added.
        expect(
          raw.endsWith(parsed.pathAndQuery) ||
            `/${raw.slice(raw.indexOf('?'))}`.endsWith(parsed.pathAndQuery) ||
            parsed.pathAndQuery === '/',
        ).toBe(true)
        expect(parsed.pathAndQuery.startsWith(parsed.path)).toBe(true)
        expect(parsed.path).toMatch(/^(?:\/[\x21-\x7e]*|\*)$/)
        expect(parsed.path).not.toMatch(/[?#\\]/)
      }),
    )
  })

  it('accepts nothing that the WHATWG parser would read as another path', () => {
    fc.assert(
      fc.property(target, (raw) => {
        const parsed = parseRequestTarget(raw)
        if (parsed === undefined || parsed.path === '*') return
        const { pathname } = new URL(`http://host.example${parsed.pathAndQuery}`)
        expect(pathname.split('/').length).toBe(parsed.path.split('/').length)
      }),
    )
  })
})
