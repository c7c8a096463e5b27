import { describe, expect, it } from 'vitest'
import { cases } from '../../src/conformance/cases/index.ts'

describe('the cases', () => {
  it('are more than 60, and each has its own id', () => {
    expect(cases.length).toBeGreaterThan(60)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  })

  it('each expect something', () => {
    expect(cases.filter(({ expect: expected }) => expected.length === 0)).toEqual([])
  })

  it.each(['must', 'should'])('have the level %s', (level) => {
    expect(cases.filter((row) => row.level === level).length).toBeGreaterThan(20)
  })
})
