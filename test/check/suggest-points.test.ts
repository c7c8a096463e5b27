import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/check.ts'
import { toOfflineFacts } from '../../src/check/offline-facts.ts'
import { rules } from '../../src/check/rules/index.ts'
import { suggestPoints } from '../../src/check/suggest-points.ts'
import { aConfig, type Given, prefix } from './a-config.ts'

const page = 'https://www.example.com/'
const at = (origin: string) => `${origin}${prefix}`

describe('suggested points', () => {
  it.each<readonly [string, Given, readonly string[]]>([
    ['a page alone', { pages: [page] }, [at('https://www.example.com')]],
    [
      'each scheme of the pages',
      { pages: [page, 'http://www.example.com/'] },
      [at('http://www.example.com'), at('https://www.example.com')],
    ],
    [
      'one deep point for two paths',
      { pages: [page], cookies: [{}, { path: '/shop' }] },
      [at('https://www.example.com/shop')],
    ],
    [
      'two branches of a host',
      { pages: [page], cookies: [{ path: '/a' }, { path: '/b' }] },
      [at('https://www.example.com/a'), at('https://www.example.com/b')],
    ],
    [
      'a domain cookie on the page',
      { pages: [page], cookies: [{ domain: '.example.com', path: '/shop' }] },
      [at('https://www.example.com/shop')],
    ],
    [
      'a domain cookie where a host-only one is',
      { pages: [page], cookies: [{ domain: '.example.com' }, { domain: 'example.com' }] },
      [at('https://example.com'), at('https://www.example.com')],
    ],
    [
      'a nested domain on the deeper page',
      {
        pages: ['https://a.shop.example.com/', page],
        cookies: [
          { domain: '.example.com', path: '/x' },
          { domain: '.shop.example.com', path: '/x' },
        ],
      },
      [at('https://a.shop.example.com/x'), at('https://www.example.com')],
    ],
    [
      'Secure from http pages over https',
      { pages: ['http://www.example.com/'], cookies: [{ secure: true }] },
      [at('http://www.example.com'), at('https://www.example.com')],
    ],
    [
      'the port of the page',
      {
        pages: ['http://www.shop.localhost:8080/'],
        cookies: [{ domain: 'www.shop.localhost', secure: true }],
      },
      [at('http://www.shop.localhost:8080')],
    ],
    ['no page at all', { cookies: [{ domain: '.example.com' }] }, [at('https://example.com')]],
    ['another prefix', { pages: [page], prefix: '/x/' }, ['https://www.example.com/x/']],
  ])('%s', (_what, given, urls) => {
    expect(suggestPoints(toOfflineFacts(aConfig(given)))?.urls).toEqual(urls)
  })

  it('names what no point can carry', () => {
    const cookies = [{}, { name: 'other', domain: 'www.example.net' }, { name: 'bad name' }]
    expect(suggestPoints(toOfflineFacts(aConfig({ pages: [page], cookies })))?.lost).toEqual([
      'other',
      'bad name',
    ])
  })

  const scope = fc.record({
    domain: fc.constantFrom(
      'www.example.com',
      'shop.example.com',
      'example.com',
      '.example.com',
      '.shop.example.com',
    ),
    path: fc.constantFrom('/', '/a', '/a/b', '/c'),
  })
  const given = fc.record({
    pages: fc.uniqueArray(fc.constantFrom(page, 'https://shop.example.com/', 'https://x.shop.example.com/'), {
      minLength: 1,
    }),
    cookies: fc.array(scope, { maxLength: 5 }),
  })

  it('leave no page and no cookie behind', () => {
    fc.assert(
      fc.property(given, (some) => {
        const points = suggestPoints(toOfflineFacts(aConfig(some)))?.urls ?? []
        expect(missing({ ...some, points })).toEqual([])
      }),
    )
  })

  it('can spare none of them', () => {
    fc.assert(
      fc.property(given, (some) => {
        const points = suggestPoints(toOfflineFacts(aConfig(some)))?.urls ?? []
        for (const point of points) {
          const others = points.filter((each) => each !== point)
          expect([point, ...missing({ ...some, points: others })].length).toBeGreaterThan(1)
        }
      }),
    )
  })
})

function missing(given: Given): readonly string[] {
  const config = aConfig(given)
  const { findings } = check(toOfflineFacts(config), rules, { only: [], skip: [], suppress: [] })
  const ids = [
    'page/no-point',
    'cookie/never-sent',
    'cookie/path-not-covered',
    'url/cross-site',
    'url/prefix',
  ]
  return findings.filter(({ id, outcome }) => outcome === 'fail' && ids.includes(id)).map(({ id }) => id)
}
