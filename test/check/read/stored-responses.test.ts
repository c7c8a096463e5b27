import { expect, it } from 'vitest'
import type { LiveFact, Reply } from '../../../src/check/read/live-fact.ts'
import { isKeyVouched } from '../../../src/check/read/observations.ts'
import { findCacheMarks, findLooserRules } from '../../../src/check/read/stored-responses.ts'

const reply = (...fields: string[]) => ({ kind: 'response', status: 200, fields, body: '' })
const rules = (value: string) => reply('Cache-Control', value)
const ofCdn = (value: string) => reply('Cache-Control', 'private', 'CDN-Cache-Control', value)
const toFact = (...observations: object[]) =>
  ({ widgetKeySha256: 'hash', observations }) as unknown as LiveFact

// Behind serve, which adds Cache-Control only to an answer that has none.
it.each([
  [rules('no-cache'), rules('no-cache'), false],
  [rules('max-age=0, must-revalidate'), rules('max-age=0, must-revalidate'), false],
  [rules('public, max-age=9'), rules('public, max-age=9'), false],
  [rules('must-revalidate'), reply('Expires', 'Thu, 31 Dec 2037 23:55:55 GMT'), true],
  [rules('no-cache'), reply(), true],
  [rules('no-cache'), rules('max-age=0, stale-while-revalidate=9'), true],
  [reply(), reply(), true],
  [rules('private'), rules('private="x", max-age=9'), true],
  [rules('private'), ofCdn('max-age=9'), true],
  [rules('private'), ofCdn('no-store, max-age=9'), false],
  [rules('private'), reply('Edge-Control', '!no-store, cache-maxage=1d'), true],
])('of %j comes %j: caches may store more: %s', (direct, came, isLooser) => {
  const question = { method: 'GET', purpose: 'file' }
  const fact = toFact({ question, direct, reply: came, vouched: { kind: 'fresh' } })
  expect(findLooserRules(fact)).toEqual(isLooser ? [came] : [])
})

it.each([
  [[true, true], true],
  [[true, undefined, false], false],
  [[undefined], undefined],
])('keys that go on as claimed, %j: %j', (told, expected) => {
  const fact = toFact(...told.map((isConfigsKey) => ({ vouched: { kind: 'fresh', isConfigsKey } })))
  expect(isKeyVouched(fact)).toBe(expected)
})

it.each([
  ['MISS, RefreshHit from cloudfront', true],
  ['MISS from hit.example.com', false],
  ['hit_for_pass', false],
])('X-Cache: %s is from a cache: %s', (value, isMark) => {
  const observation = { reply: reply('X-Cache', value) as Reply }
  expect(findCacheMarks(toFact(observation)).length > 0).toBe(isMark)
  expect(findCacheMarks(toFact({ ...observation, vouched: { kind: 'fresh' } }))).toEqual([])
})
