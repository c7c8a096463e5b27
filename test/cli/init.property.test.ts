import fc from 'fast-check'
import { expect, it } from 'vitest'
import { check } from '../../src/check/check.ts'
import { gatherOfflineFacts } from '../../src/check/offline-facts.ts'
import { rules } from '../../src/check/rules/index.ts'
import type { FoundScope } from '../../src/scopes/found-scope.ts'
import { onlyOfSites } from '../../src/scopes/found-scope.ts'
import { toFirstConfig } from '../../src/setup/first-config.ts'
import { configOf } from '../support/config-of.ts'

const PREFIX = '/service_cookie_transfer/'
const hosts = [
  'www.example.com',
  'shop.example.com',
  'example.com',
  'www.example.co.uk',
  'www.shop.localhost',
]

/** What only the site can change: it has no TLS, or no httpOnly cookie, or pages on two schemes. */
const UNKNOWN = ['url/plain-http', 'url/scheme-mismatch', 'cookie/depends', 'cookie/none-httponly']

const origin = fc
  .tuple(
    fc.constantFrom('https', 'https', 'http'),
    fc.constantFrom(...hosts),
    fc.constantFrom('', '', ':8443'),
  )
  .map(([scheme, host, port]) => `${scheme}://${host}${port}`)

const scope: fc.Arbitrary<FoundScope> = fc.record({
  name: fc.constantFrom('sid', 'basket', '__Host-a', '__Secure-b', 'bad name', ''),
  domain: fc.constantFrom(
    ...hosts,
    '.example.com',
    '.shop.example.com',
    '.co.uk',
    '.localhost',
    '..x',
    'ads.example.net',
  ),
  path: fc.constantFrom('/', '/', '/shop', '/shop/cart', '/a|b', PREFIX, 'shop'),
  httponly: fc.boolean(),
  secure: fc.boolean(),
  sameSite: fc.constantFrom(undefined, 'None' as const, 'Lax' as const, 'Strict' as const),
})

it('a first config has no finding but what only the site can change', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(origin, { minLength: 1, maxLength: 3 }),
      fc.uniqueArray(scope, {
        maxLength: 5,
        selector: ({ name, domain, path }) => `${name};${domain};${path}`,
      }),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom('', '/shop', '/deep/er')), { maxLength: 3 }),
      (origins, all, paths) => {
        const pages = origins.map((each) => `${each}/`)
        const points = paths.map(([index, path]) => `${origins[index % origins.length]}${path}${PREFIX}`)
        const hosts = origins.map((each) => new URL(each).hostname)
        const { scopes } = onlyOfSites({ scopes: all, notes: [] }, hosts)
        const made = toFirstConfig({
          pages,
          scopes,
          points: [...new Set(points)],
          serviceUrl: 'https://service.example.net',
          prefix: PREFIX,
        })
        if (typeof made === 'string') throw new Error(made)
        const { findings } = check(gatherOfflineFacts(configOf(made.text)), rules, {
          only: [],
          skip: [],
          suppress: [],
        })
        const failed = findings.filter(
          ({ outcome, id }) => outcome !== 'pass' && outcome !== 'skipped' && !UNKNOWN.includes(id),
        )
        expect(failed.map(({ id, message }) => `${id}: ${message}`)).toEqual([])
        const lost = scopes.filter(({ name }) => !made.scopes.some((kept) => kept.name === name))
        for (const { name } of lost) expect(made.notes.join()).toContain(name)
      },
    ),
    { numRuns: 150 },
  )
}, 60_000)
