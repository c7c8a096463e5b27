import { expect, it } from 'vitest'
import { wrap } from '../../src/text/prose.ts'

it.each([
  ['', 'a b c', 80, ['a b c']],
  ['', 'aaa bbb ccc', 7, ['aaa bbb', 'ccc']],
  ['', 'aaa bbb ccc', 6, ['aaa', 'bbb', 'ccc']],
  ['  fix  ', 'aaa bbb', 10, ['  fix  aaa', '       bbb']],
  ['', 'https://www.example.com/ is long', 10, ['https://www.example.com/', 'is long']],
  ['  ', 'https://www.example.com/', 5, ['  https://www.example.com/']],
  ['', 'aaa bbb', Number.POSITIVE_INFINITY, ['aaa bbb']],
  ['- ', '', 10, ['- ']],
])('%j %j in %d columns', (lead, text, columns, lines) => {
  expect(wrap(lead, text, columns)).toEqual(lines)
})
