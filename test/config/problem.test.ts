import { expect, test } from 'vitest'
import { renderProblems } from '../../src/config/problem.ts'

test('one block each, the place first', () => {
  const place = { file: 'config.json', line: 9, column: 5 }
  const text = renderProblems([
    { location: { ...place, pointer: '/points/0/ur' }, message: 'unknown key "ur"', suggestion: '"url"' },
    {
      location: { ...place, pointer: '/listen/port' },
      message: 'too small',
      expected: 'a whole number',
      found: '0',
    },
    { location: { file: 'environment', pointer: 'CONTINUATION_PORT' }, message: 'wrong type' },
    { location: { file: 'a.json', pointer: '' }, message: 'the file is empty' },
  ])
  expect(text).toBe(`config.json:9:5 /points/0/ur: unknown key "ur", did you mean "url"?
config.json:9:5 /listen/port: too small
  expected a whole number
  found    0
environment CONTINUATION_PORT: wrong type
a.json: the file is empty
`)
})

test.each([
  ['\u001b[31m', '\\u001b[31m'],
  ['a\nb\rc', 'a\\u000ab\\u000dc'],
  ['\u009b2J', '\\u009b2J'],
  ['\u202eright to left', '\\u202eright to left'],
  ['\u2028', '\\u2028'],
  ['\ud800', '\\ud800'],
  ['plain ä 😀', 'plain ä 😀'],
])('%j can’t control a terminal', (text, shown) => {
  const location = { file: text, pointer: text }
  const problem = { location, message: text, expected: text, found: text, suggestion: text }
  expect(renderProblems([problem])).toBe(
    `${shown} ${shown}: ${shown}, did you mean ${shown}?\n  expected ${shown}\n  found    ${shown}\n`,
  )
})

test('an endless pointer is cut off', () => {
  const location = { file: 'f', pointer: `/${'x'.repeat(100_000)}` }
  expect(renderProblems([{ location, message: 'm' }]).length).toBeLessThan(300)
})
