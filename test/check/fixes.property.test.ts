import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/check.ts'
import { describeSubject, type Finding } from '../../src/check/finding.ts'
import { gatherOfflineFacts } from '../../src/check/offline-facts.ts'
import { rules } from '../../src/check/rules/index.ts'
import { configOf } from '../support/config-of.ts'
import { type Given, prefix } from './a-config.ts'
import { applyFix, type Edited } from './apply-fix.ts'
import { checkGiven } from './check-given.ts'

const hosts = ['www.example.com', 'shop.example.com', 'example.com', 'www.example.net', 'www.shop.localhost']
const origins = hosts.flatMap((host) => [`https://${host}`, `http://${host}`, `https://${host}:8443`])
const cookiePaths = ['', '/shop', '/shop/cart', '/a|b', prefix.slice(0, -1)]

const point = fc
  .tuple(
    fc.constantFrom(...origins),
    fc.constantFrom(...cookiePaths.slice(0, 4)),
    fc.constantFrom('', '', '', '?x', '#y'),
    fc.constantFrom(prefix, prefix, prefix, prefix.slice(0, -1), ''),
  )
  .map(([origin, path, tail, end]) => `${origin}${path}${end}${tail}`)
const cookie = fc.record({
  name: fc.constantFrom('sid', 'basket', '__Host-a', '__Secure-b'),
  domain: fc.constantFrom(...hosts, '.example.com', '.shop.example.com', '.example.net', '.shop.localhost'),
  path: fc.constantFrom('/', '/', '/shop', '/shop/cart', '/a%7Cb', '/a|b', prefix, 'shop'),
  httponly: fc.boolean(),
  secure: fc.constantFrom(undefined, true, false),
  sameSite: fc.constantFrom(undefined, 'None' as const, 'Lax' as const),
})
const set = fc.record({
  pages: fc.uniqueArray(
    fc.constantFrom(...origins).map((origin) => `${origin}/`),
    { minLength: 1, maxLength: 3 },
  ),
  points: fc.uniqueArray(point, { maxLength: 3 }),
  cookies: fc.array(cookie, { maxLength: 4 }),
})

/** Each run checks a config many times over. */
const LONG = { timeout: 60_000 }
const RUNS = Number(process.env.FIX_RUNS ?? 50)

describe('our own fixes, applied literally', () => {
  it('end without a finding, in whatever order', LONG, () => {
    fc.assert(
      fc.property(set, fc.infiniteStream(fc.nat()), (given, choices) => {
        let edited: Edited = given
        const log: string[] = []
        for (let step = 0; step < 60; step += 1) {
          const failures = failuresOf(edited)
          if (failures.length === 0) return
          const finding = failures[Number(choices.next().value) % failures.length] as Finding
          log.push(`${finding.id} ${describeSubject(finding.subject)}: ${finding.fix?.what}`)
          edited = applyFix(edited, finding)
        }
        throw new Error(`The fixes lead in circles:\n${log.join('\n')}`)
      }),
      { numRuns: RUNS },
    )
  })

  it(
    'lead to as few points as the suggestion, which ends without a finding too, if only points are missing',
    LONG,
    () => {
      const scope = cookie.filter(({ path }) => path.startsWith('/') && !path.includes('|'))
      const missing = fc.record({
        pages: fc.uniqueArray(fc.constantFrom('https://www.example.com/', 'https://a.shop.example.com/'), {
          minLength: 1,
        }),
        points: fc.constantFrom([], [`https://www.example.com${prefix}`]),
        cookies: fc.array(
          scope.map((each) => ({ ...each, name: 'sid', secure: true })),
          { maxLength: 4 },
        ),
      })
      fc.assert(
        fc.property(missing, (given) => {
          const { suggestion } = checkGiven(given)
          if (suggestion === undefined) return
          let edited: Edited = given
          for (const [first] of repeat(() => failuresOf(edited))) {
            if (first === undefined) break
            edited = applyFix(edited, first)
          }
          expect(edited.points).toHaveLength(suggestion.urls.length)
          expect(failuresOf({ ...edited, points: suggestion.urls })).toEqual([])
        }),
        { numRuns: RUNS },
      )
    },
  )
})

it.each<[string, Edited]>([
  ['without Secure, over http', { pages: [], points: [`http://www.example.com${prefix}`], cookies: [{}] }],
  [
    'on a path without a point',
    { pages: [], points: [`https://www.example.com${prefix}`], cookies: [{ path: '/a' }] },
  ],
])('the fix of SameSite=None %s leads to no other error', (_what, given) => {
  const cookies = given.cookies.map((each) => ({ ...each, secure: false, sameSite: 'None' as const }))
  const [finding] = failuresOf({ ...given, cookies }).filter(({ id }) => id === 'cookie/same-site-none')
  const fixed = applyFix({ ...given, cookies }, finding as Finding)
  expect(failuresOf(fixed).filter(({ severity }) => severity === 'error')).toEqual([])
})

it('the example of the documents leads to its suggestion, and the root point stays', () => {
  const given = {
    pages: ['https://www.example.com/'],
    points: [`https://www.example.com${prefix}`],
    cookies: [
      { name: 'sid', secure: true },
      { name: 'basket', domain: '.example.com', path: '/shop', secure: true },
    ],
  }
  const { suggestion } = checkGiven(given)
  const [finding, ...others] = failuresOf(given)
  expect([finding?.id, others]).toEqual(['cookie/path-not-covered', []])
  const fixed = applyFix(given, finding as Finding)
  expect(failuresOf(fixed)).toEqual([])
  expect(suggestion?.urls).toEqual([...fixed.points].sort())
})

it('the example of the config has no finding, not even a note', async () => {
  const text = await readFile(new URL('../../config.example.json', import.meta.url), 'utf8')
  const config = configOf(text)
  const { suppress } = config
  const { findings } = check(gatherOfflineFacts(config), rules, { only: [], skip: [], suppress })
  expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([])
})

function failuresOf(given: Given): readonly Finding[] {
  return checkGiven(given).findings.filter(({ outcome }) => outcome === 'fail')
}

function* repeat<T>(give: () => T): Generator<T> {
  for (let step = 0; step < 60; step += 1) yield give()
}
