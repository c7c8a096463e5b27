import { describe, expect, test } from 'vitest'
import {
  flag,
  integer,
  integerId,
  listOf,
  nullable,
  read,
  record,
  type Schema,
  text,
  textId,
} from '../../src/api/schema.ts'

test.each<readonly [string, Schema<unknown>, unknown, object]>([
  ['a string', text, '', { value: '' }],
  ['no string', text, 1, { fault: 'the body is not a string' }],
  ['a boolean', flag, false, { value: false }],
  ['no boolean', flag, 'true', { fault: 'the body is not a boolean' }],
  ['an integer', integer, -1, { value: -1 }],
  ['a fraction', integer, 1.5, { fault: 'the body is not an integer' }],
  ['no number', integer, '1', { fault: 'the body is not an integer' }],
  ['an id', integerId, 7, { value: 7 }],
  ['an id that came as a string', integerId, '7', { value: 7 }],
  ['an id that is another form of number', integerId, '1e3', { fault: 'the body is not an integer' }],
  ['an id that would lose digits', integerId, '1'.repeat(16), { fault: 'the body is not an integer' }],
  ['an empty id', integerId, '', { fault: 'the body is not an integer' }],
  ['a text id that came as an integer', textId, 7, { value: '7' }],
  ['a text id that is not an integer', textId, 7.5, { fault: 'the body is not a string' }],
  ['null', nullable(text), null, { value: null }],
  ['no null', nullable(text), undefined, { fault: 'the body is not a string' }],
  ['null where it is not allowed', text, null, { fault: 'the body is not a string' }],
  ['an array', listOf(integer), [1, 2], { value: [1, 2] }],
  ['an object for an array', listOf(integer), { 0: 1, length: 1 }, { fault: 'the body is not an array' }],
  ['the first wrong item', listOf(integer), [1, '2', '3'], { fault: '/1 is not an integer' }],
])('what each schema accepts and refuses: %s', (_name, shape, value, expected) => {
  expect(read(shape, value)).toEqual(expected)
})

describe('an object', () => {
  const agent = record<{ id: number; name?: string }>(['id'], { id: integerId, name: text })

  test.each<readonly [string, unknown, object]>([
    ['all fields', { id: 1, name: 'Ada' }, { value: { id: 1, name: 'Ada' } }],
    ['no more than is required', { id: '1' }, { value: { id: 1 } }],
    [
      'an undocumented field',
      { id: 1, more: [{ deep: null }] },
      { value: { id: 1, more: [{ deep: null }] } },
    ],
    ['a required field is missing', { name: 'Ada' }, { fault: '/id is not a value' }],
    ['a field of another type', { id: 1, name: null }, { fault: '/name is not a string' }],
    ['a field that is there without a value', { id: 1, name: undefined }, { fault: '/name is not a string' }],
    ['an array', [], { fault: 'the body is not an object' }],
    ['an array with the fields', Object.assign([], { id: 1 }), { fault: 'the body is not an object' }],
    ['null', null, { fault: 'the body is not an object' }],
    ['text', '{"id":1}', { fault: 'the body is not an object' }],
    ['a required field that it only inherits', Object.create({ id: 1 }), { fault: '/id is not a value' }],
  ])('%s', (_name, value, expected) => {
    expect(read(agent, value)).toEqual(expected)
  })

  test('a documented field with a name that every object inherits may be absent', () => {
    const shape = record<{ constructor: string }>([], { constructor: text })
    expect(read(shape, {})).toEqual({ value: {} })
    expect(read(shape, { constructor: 'a' })).toEqual({ value: { constructor: 'a' } })
  })

  test.each(['__proto__', 'constructor', 'prototype', 'toString'])(
    'a field named %s is kept as an own property, and changes no prototype',
    (name) => {
      const body = JSON.parse(`{"id":1,${JSON.stringify(name)}:{"name":"Eve"}}`)
      const { value } = read(agent, body) as { value: object }
      expect(Object.entries(value)).toEqual(Object.entries(body))
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    },
  )
})
