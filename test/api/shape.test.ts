import { describe, expect, test } from 'vitest'
import { integer, record, ShapeFault, text } from '../../src/api/shape.ts'

describe('only what a body itself holds is a field of it', () => {
  test('a demanded one', () => {
    const shape = record<{ id: number }>(['id'], { id: integer })
    expect(shape(Object.create({ id: 1 }))).toEqual(new ShapeFault('/id', 'a value'))
  })

  test('one that may be absent, though every object inherits its name', () => {
    const shape = record<{ constructor: string }>([], { constructor: text })
    expect(shape({})).toEqual({})
  })
})
