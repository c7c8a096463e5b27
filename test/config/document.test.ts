import { expect, test } from 'vitest'
import { parseDocument } from '../../src/config/document.ts'

const faultsOf = (text: string) => {
  const parsed = parseDocument(text, 'f')
  if (!('problems' in parsed)) throw new Error('the text was expected to be faulty')
  return parsed.problems.map(({ location: { line, column }, message }) => [line, column, message])
}

test.each<[string, readonly [line: number, column: number, message: string]]>([
  ['{', [1, 2, 'unclosed object']],
  ['{"a": [1', [1, 9, 'unclosed array']],
  ['{"a": 1 "b": 2}', [1, 9, 'missing comma']],
  ['{\n  "a" 1\n}', [2, 7, 'missing colon']],
  ['{\n  "a":\n}', [3, 1, 'not a JSON value']],
  ['{a: 1}', [1, 2, 'not a key']],
  ["{'a': 1}", [1, 2, 'not a key']],
  ['{"a": 01}', [1, 7, 'not a JSON value']],
  ['{"a": 1.}', [1, 7, 'not a JSON value']],
  ['{"a": [,]}', [1, 8, 'not a JSON value']],
  ['{"a": [1}', [1, 9, 'missing comma']],
  ['{} {}', [1, 4, 'text after the end']],
  ['{"a": "C:\\keys"}', [1, 7, 'malformed text']],
  ['{"a": "\\u12"}', [1, 7, 'malformed text']],
  ['{"a": "x\t"}', [1, 7, 'malformed text']],
  ['{"a": "x\n"}', [1, 7, 'malformed text']],
  ['{"a": 1 /* x', [1, 9, 'malformed comment']],
  ['// nothing else', [1, 16, 'not a JSON value']],
  // The first fault alone.
  ['{\r\n "a": tru,\r\n "b": fals\r\n}', [2, 7, 'not a JSON value']],
])('syntax: %j', (text, fault) => {
  expect(faultsOf(text)).toEqual([fault])
})

test('a fault quotes nothing of the text', () => {
  const parsed = parseDocument('{"widgetKey": hunter2}', 'f')
  expect(parsed).toHaveProperty('problems')
  expect(JSON.stringify(parsed)).not.toContain('hunter2')
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
  expect(parseDocument(text, 'f')).toHaveProperty('document')
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is a key like any other', (key) => {
  const parsed = parseDocument(`{"${key}": {"polluted": true}}`, 'f')
  if ('problems' in parsed) throw new Error('the text was expected to be sound')
  expect(Object.keys(parsed.document.value ?? {})).toEqual([key])
  expect(Object.prototype).not.toHaveProperty('polluted')
})
