import { describe, expect, it } from 'vitest'
import { remember } from '../../src/http/remember.ts'

describe('what is cached', () => {
  it.each([
    ['a word that comes again is judged once', ['Cookie', 'Cookie', 'Cookie'], 1],
    ['case makes a different word', ['Cookie', 'cookie', 'Cookie'], 2],
    ['a long word is judged each time', ['x'.repeat(65), 'x'.repeat(65)], 2],
    ['names of Object are words like others', ['__proto__', 'constructor', '__proto__', 'constructor'], 2],
  ])('%s', (_, words, count) => {
    const judged: string[] = []
    const judge = remember((word) => {
      judged.push(word)
      return `<${word}>`
    })
    expect(words.map(judge)).toEqual(words.map((word) => `<${word}>`))
    expect(judged).toHaveLength(count)
  })

  it('is dropped when it has grown, and results stay right', () => {
    let judgements = 0
    const judge = remember((word) => {
      judgements += 1
      return `<${word}>`
    })
    for (let n = 0; n < 5_000; n += 1) expect(judge(`x-${n}`)).toBe(`<x-${n}>`)
    expect(judge('x-4999')).toBe('<x-4999>')
    expect(judgements).toBe(5_000)
    expect(judge('x-0')).toBe('<x-0>')
    expect(judgements).toBe(5_001)
  })
})
