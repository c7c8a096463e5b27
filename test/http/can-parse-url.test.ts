import { expect, it } from 'vitest'
import { canParseUrl } from '../../src/http/can-parse-url.ts'

it.each([
  ['https://www.example.com/', undefined, true],
  ['https://b\u00fccher.example/', undefined, true],
  ['https://example.com:99999/', undefined, false],
  ['www.example.com', undefined, false],
  ['/a', 'https://www.example.com/', true],
  ['//[', 'https://www.example.com/', false],
])('%s, from %s: %s', (text, base, can) => {
  expect(canParseUrl(text, base)).toBe(can)
})

it('gives the same result for a host with an umlaut each time', () => {
  const said = new Set(Array.from({ length: 20_000 }, () => canParseUrl('https://b\u00fccher.example/')))
  expect([...said]).toEqual([true])
})
