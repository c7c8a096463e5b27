import { expect, it } from 'vitest'
import { toTexts } from '../../src/forward/vouching.ts'

const cookiesOf = (line: string) => {
  const target = { path: '/', pathAndQuery: '/' }
  return toTexts({ method: 'GET', target } as Parameters<typeof toTexts>[0], ['Cookie', line])[3]
}

const MARK = 'continuation_point_check'

it.each<[string, string, string]>([
  ['by name', `a=1; ${MARK}=2; b=3`, `${MARK}=2`],
  ['by value', `a=${MARK}2; b=3`, `a=${MARK}2`],
  ['without a value', `\t${MARK}; b=3`, MARK],
  ['in the middle of a name', `my_${MARK}=1`, ''],
  ['in the middle of a value', `a=my_${MARK}`, ''],
  ['behind white space in a value', `a= ${MARK}`, ''],
  ['in a second value', `a=b=${MARK}`, ''],
])('finds the cookies that check made up: marked %s', (_, line, found) => {
  expect(cookiesOf(line)).toBe(found)
})

// A pattern that tries white space in two ways takes minutes.
it.each([' ', '\t', '=', ';'])('takes no longer for a million of %j', (octet) => {
  expect(cookiesOf(`a=b;${octet.repeat(1_000_000)};${MARK}=1`)).toBe(`${MARK}=1`)
})
