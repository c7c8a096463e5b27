import { expect, test } from 'vitest'
import { parseDocument } from '../../src/config/document.ts'
import { atOnce } from '../../src/config/steps.ts'

const faultsOf = (text: string) => {
  const parsed = atOnce(parseDocument(text, 'f'))
  if (!('problems' in parsed)) throw new Error('the text was expected to be faulty')
  return parsed.problems.map(({ location: { line, column }, message }) => [line, column, message])
}

test.each<[string, readonly unknown[]]>([
  ['{', [[1, 2, 'unclosed object']]],
  ['{"a": [1', [[1, 9, 'unclosed array']]],
  ['{"a": 1 "b": 2}', [[1, 9, 'missing comma']]],
  ['{\n  "a" 1\n}', [[2, 7, 'missing colon']]],
  ['{\n  "a":\n}', [[3, 1, 'missing value']]],
  ['{a: 1}', [[1, 2, 'not JSON']]],
  ["{'a': 1}", [[1, 2, 'not JSON']]],
  ['{} {}', [[1, 4, 'text after the end']]],
  ['{"a": "\\q"}', [[1, 7, 'unknown escape']]],
  ['{"a": "\\u12"}', [[1, 7, 'malformed escape']]],
  ['{"a": "x\t"}', [[1, 7, 'control character in a string']]],
  ['{"a": 1 /* x', [[1, 9, 'unclosed comment']]],
  ['// nothing else', [[1, 16, 'missing value']]],
  // One a line, however far the first one echoes.
  [
    '{\r\n "a": tru,\r\n "b": fals\r\n}',
    [
      [2, 7, 'not JSON'],
      [3, 7, 'not JSON'],
    ],
  ],
])('syntax: %j', (text, faults) => {
  expect(faultsOf(text)).toEqual(faults)
})

test.each<[string, string, string]>([
  ['empty', '', 'the file is empty'],
  ['blank', ' \n\t', 'the file is empty'],
  ['only a byte order mark', '\ufeff', 'the file is empty'],
  ['binary', '\u0000\u0001{', 'not a text file'],
  ['another encoding', '\ufffd\ufffd{', 'not a text file'],
  ['nested', '['.repeat(100_000), 'nested too deeply'],
  ['nested objects', '{"a":'.repeat(50_000), 'nested too deeply'],
  ['huge', ' '.repeat(5_000_000), 'the file is too large'],
])('text that is rejected before parsing: %s', (_name, text, message) => {
  expect(faultsOf(text)).toEqual([[undefined, undefined, message]])
})

test('brackets within strings and comments are not nesting', () => {
  const text = `{"a": "${'['.repeat(100)}" /* ${'{'.repeat(100)} */}`
  expect(atOnce(parseDocument(text, 'f'))).toHaveProperty('document')
})

test('only the first faults of a nonsensical file are reported', () => {
  expect(faultsOf('@\n'.repeat(1000)).length).toBeLessThanOrEqual(10)
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is a key like any other', (key) => {
  const parsed = atOnce(parseDocument(`{"${key}": {"polluted": true}}`, 'f'))
  if ('problems' in parsed) throw new Error('the text was expected to be sound')
  expect(Object.keys(parsed.document.value ?? {})).toEqual([key])
  expect(Object.prototype).not.toHaveProperty('polluted')
})
