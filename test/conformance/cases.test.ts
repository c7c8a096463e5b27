import { describe, expect, it } from 'vitest'
import { cases } from './suite/cases/index.ts'

describe('the cases', () => {
  it('each have their own id', () => {
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  })

  it('each expect something', () => {
    expect(cases.filter(({ expect: expected }) => expected.length === 0)).toEqual([])
  })
})
