import { expect, test } from 'vitest'
import { suggest } from '../../src/config/suggestion.ts'

const legal = ['points', 'pages', 'port', 'widgetKey', 'log']

test.each([
  ['points', 'points'],
  ['POINTS', 'points'],
  ['piont', 'port'],
  ['pionts', 'points'],
  ['widgetkye', 'widgetKey'],
  ['wdget-Key', 'widgetKey'],
  ['page', 'pages'],
  ['pot', 'port'],
  ['logs', 'log'],
  ['lo', 'log'],
  ['l', undefined],
  ['', undefined],
  ['cookies', undefined],
  ['x'.repeat(65), undefined],
])('%s: %s', (word, suggestion) => {
  expect(suggest(word, legal)).toBe(suggestion)
})

test('the nearest word, and of equally near ones the first', () => {
  expect(suggest('redirect', ['url/redact', 'live/redirect'])).toBe('live/redirect')
  expect(suggest('host', ['hosts', 'host-name', 'most'])).toBe('hosts')
  expect(suggest('aost', ['most', 'host', 'aosts'])).toBe('most')
  expect(suggest('hosting', ['posting', 'hosting'])).toBe('hosting')
})
