import { expect, it } from 'vitest'
import { quoteLine } from '../../src/config/parse.ts'

it.each<[what: string, line: string, column: number, shown: string, caret: string]>([
  ['a key', '  "limitz": 3,', 3, '"limitz": 3,', '^'],
  [
    'a value, without the others',
    '\t"widgetKey": "a:b", "points": 7',
    31,
    '"widgetKey": "…", "points": 7',
    '                           ^',
  ],
  ['an escaped quote', '{ "a": "x\\"y", "b": true }', 20, '{ "a": "…", "b": true }', '                ^'],
  [
    'a string that does not end',
    '{ "widgetKey": "abc, "b": 1',
    16,
    '{ "widgetKey": "…"…"…"',
    '               ^',
  ],
  ['what is not JSON', 'widgetKey: sk_live, 1234567', 12, '…: …, …', '   ^'],
  ['a comment', '"a": 1 // key sk_live', 6, '"a": 1 … … …', '     ^'],
  ['a key that looks like a secret', '{ "9f8e7d": null }', 3, '{ "…": null }', '  ^'],
  ['the end of a line', '"points": [', 12, '"points": [', '          ^'],
])('quotes %s', (_what, line, column, shown, caret) => {
  expect(quoteLine(line, column)).toEqual([shown, caret])
})

it('shows what is around the place in a long line, and nothing of one that nobody reads', () => {
  const line = `{ ${'"pages": [1, 2], '.repeat(20)}"limitz": 3, ${'"pages": [1, 2], '.repeat(20)}}`
  const [shown = '', caret = ''] = quoteLine(line, line.indexOf('"limitz"') + 1)
  expect(shown.slice(caret.indexOf('^'))).toMatch(/^"limitz": 3, /)
  expect(shown.length).toBeLessThanOrEqual(70)
  expect(quoteLine(`"a": 1, "b": ${' '.repeat(1000)}`, 9)).toEqual([])
})
