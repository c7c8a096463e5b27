import { expect, it } from 'vitest'
import { parseHttpUrl, parseUrl } from '../../src/http/parse-url.ts'

it.each([
  ['https://www.example.com/', undefined, 'https://www.example.com/'],
  ['https://b\u00fccher.example/', undefined, 'https://xn--bcher-kva.example/'],
  ['https://example.com:99999/', undefined, undefined],
  ['www.example.com', undefined, undefined],
  ['/a', 'https://www.example.com/', 'https://www.example.com/a'],
  ['//[', 'https://www.example.com/', undefined],
])('%s, from %s: %s', (text, base, href) => {
  expect(parseUrl(text, base)?.href).toBe(href)
})

it('gives the same result for a host with an umlaut each time', () => {
  const said = new Set(Array.from({ length: 20_000 }, () => parseUrl('https://b\u00fccher.example/')?.href))
  expect([...said]).toEqual(['https://xn--bcher-kva.example/'])
})

it.each([
  ['HTTPS://www.example.com', 'https://www.example.com/'],
  ['http:www.example.com', undefined],
  ['ftp://www.example.com/', undefined],
  ['http://', undefined],
])('%s as an http or https URL: %s', (text, href) => {
  expect(parseHttpUrl(text)?.href).toBe(href)
})
