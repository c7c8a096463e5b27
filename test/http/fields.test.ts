import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasField, isField, listMembers, trimWhiteSpace, valuesOf } from '../../src/http/fields.ts'

const FIELDS = ['Set-Cookie', 'a', 'X-A', '1', 'set-cookie', 'b', 'x-a', '', 'SET-COOKIE', 'a', 'İ', '2']

describe('valuesOf', () => {
  it.each([
    ['set-cookie', ['a', 'b', 'a']],
    ['x-a', ['1', '']],
    ['x', []],
    ['cookie', []],
  ])('%s', (name, values) => {
    expect(valuesOf(FIELDS, name)).toEqual(values)
    expect(hasField(FIELDS, name)).toBe(values.length > 0)
  })

  it('never takes a value for a name', () => {
    expect(valuesOf(['x', 'y', 'z', 'y'], 'y')).toEqual([])
    expect(hasField(['x', 'y'], 'y')).toBe(false)
  })
})

describe('isField', () => {
  it.each([
    ['Via', 'via', true],
    ['VIA', 'via', true],
    ['vi', 'via', false],
    ['via ', 'via', false],
    ['', '', true],
  ])('%j and %j', (name, lowerName, expected) => {
    expect(isField(name, lowerName)).toBe(expected)
  })
})

describe('listMembers', () => {
  it.each([
    [[], []],
    [[''], []],
    [[' , ,\t,'], []],
    [['a'], ['a']],
    [['a,b , c\t,,d'], ['a', 'b', 'c', 'd']],
    [
      ['a', 'b, c'],
      ['a', 'b', 'c'],
    ],
    [['"a,b",c'], ['"a,b"', 'c']],
    [['x="a,\\",b";y, z'], ['x="a,\\",b";y', 'z']],
    [['"\\\\",b'], ['"\\\\"', 'b']],
    [['"a, b'], ['"a', 'b']],
    [['a"b,c"d,e'], ['a"b,c"d', 'e']],
  ])('%j gives %j', (values, members) => {
    expect(listMembers(values)).toEqual(members)
  })

  it('loses no token and adds none', () => {
    const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,8}$/)
    fc.assert(
      fc.property(fc.array(token), fc.constantFrom(',', ', ', ' ,\t', ',,'), (tokens, separator) => {
        expect(listMembers([tokens.join(separator)])).toEqual(tokens)
      }),
    )
  })

  // A scan that starts again at each quote would take minutes for these.
  it.each([
    [
      'an open quote with escaped ones behind it',
      `"${'\\"'.repeat(1_000_000)},a`,
      `"${'\\"'.repeat(1_000_000)}`,
    ],
    ['quotes and backslashes', `${'"\\'.repeat(1_000_000)},a`, `${'"\\'.repeat(1_000_000)}`],
    ['white space between two words', `a${' '.repeat(1_000_000)}b,c`, `a${' '.repeat(1_000_000)}b`],
  ])('reads %s in one pass', (_name, value, first) => {
    expect(listMembers([value])[0] === first).toBe(true)
  })
})

describe('trimWhiteSpace', () => {
  it.each([
    ['', ''],
    [' \t ', ''],
    [' a\tb ', 'a\tb'],
    ['\xa0a\xa0', '\xa0a\xa0'],
    ['\v', '\v'],
  ])('%j gives %j', (text, trimmed) => {
    expect(trimWhiteSpace(text)).toBe(trimmed)
  })
})
