import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FORMATS, render } from '../../src/check/report/formats.ts'
import { withoutColour } from '../../src/text/paint.ts'
import { prefix } from './a-config.ts'
import { aReport } from './report/a-report.ts'

const wild = fc.string({ unit: 'binary', maxLength: 40 })
const piece = fc.constantFrom(
  'https://',
  'http://',
  'u:p@',
  'www.example.com',
  '[::1]',
  '%2e',
  '..',
  '/',
  '?',
  '#',
  '.',
  ':',
  prefix,
  '*',
  '__Host-',
)
const nearly = fc.array(fc.oneof(piece, wild), { maxLength: 6 }).map((pieces) => pieces.join(''))
const given = fc.record({
  points: fc.array(nearly, { maxLength: 3 }),
  pages: fc.array(nearly, { maxLength: 3 }),
  cookies: fc.array(fc.record({ name: nearly, domain: nearly, path: nearly }), { maxLength: 3 }),
  suppress: fc.array(fc.record({ rule: nearly, match: nearly, reason: wild }), { maxLength: 2 }),
})

it('crashes no rule and no report', () => {
  fc.assert(
    fc.property(given, (words) => {
      const report = aReport(words)
      expect(report.result.findings.filter(({ outcome }) => outcome === 'crashed')).toEqual([])
      for (const format of FORMATS)
        expect(render(report, format, withoutColour)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    }),
    { numRuns: 200 },
  )
})
