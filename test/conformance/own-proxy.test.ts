import { expect, it } from 'vitest'
import { cases } from './suite/cases/index.ts'
import { findFailures, startOwnProxy } from './support/started-point.ts'

it.each<[string, Record<string, unknown>, string, string[]]>([
  ['on a cookie path', {}, '/shop', []],
  ['on a cookie path that is kept', { service: { keepCookiePath: true } }, '/shop', []],
  [
    'with a small body limit',
    { limits: { bodyBytes: 1024 } },
    '',
    ['body/mebibyte', 'body/mebibyte-chunked'],
  ],
  [
    'with another key',
    { widgetKey: 'another-key' },
    '',
    cases
      .filter(({ expect: expected }) => expected.some(({ expected: text }) => text.includes('X-Widget-Key')))
      .map(({ id }) => id),
  ],
])('our own proxy %s', async (_what, overrides, cookiePath, failed) => {
  const start = (serviceUrl: string) => startOwnProxy(serviceUrl, overrides, cookiePath)
  expect(await findFailures(start)).toEqual(failed)
})
