import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gatherOfflineFacts } from '../../src/check/offline-facts.ts'
import { describeCoverage, findMissingUrl, suggestPoints } from '../../src/check/suggest-points.ts'
import { aConfig, type Given, prefix } from './a-config.ts'
import { checkGiven } from './check-given.ts'

const page = 'https://www.example.com/'
const at = (origin: string) => `${origin}${prefix}`
const pageRoots = new Set(['www', 'shop', 'x.shop'].map((name) => at(`https://${name}.example.com`)))
const root = at('https://www.example.com')
const shop = at('https://www.example.com/shop')
const bareA = at('https://example.com/a')
const deep = at('https://x.shop.example.com')
const plainPage = 'http://www.example.com/'
const deepPage = 'https://x.shop.example.com/'

describe('suggested points', () => {
  it.each(
    Object.entries<readonly [Given, readonly string[]]>({
      'a page alone': [{ pages: [page] }, [root]],
      'each scheme of the pages': [{ pages: [page, plainPage] }, [at('http://www.example.com'), root]],
      'one deep point for two paths, beside the one where the instructions verify': [
        { pages: [page], cookies: [{}, { path: '/shop' }] },
        [root, shop],
      ],
      'two branches of a host': [
        { pages: [page], cookies: [{ path: '/a' }, { path: '/b' }] },
        ['/a', '/b', ''].map((path) => at(`https://www.example.com${path}`)),
      ],
      'a domain cookie on the page': [
        { pages: [page], cookies: [{ domain: '.example.com', path: '/shop' }] },
        [root, shop],
      ],
      'a domain cookie where a host-only one is': [
        { pages: [page], cookies: [{ domain: '.example.com' }, { domain: 'example.com' }] },
        [at('https://example.com'), root],
      ],
      'a nested domain on the deeper page': [
        {
          pages: ['https://a.shop.example.com/', page],
          cookies: [
            { domain: '.example.com', path: '/x' },
            { domain: '.shop.example.com', path: '/x' },
          ],
        },
        [at('https://a.shop.example.com'), at('https://a.shop.example.com/x'), root],
      ],
      'Secure from http pages over https': [
        { pages: [plainPage], cookies: [{ secure: true }] },
        [at('http://www.example.com'), root],
      ],
      'the port of the page': [
        {
          pages: ['http://www.shop.localhost:8080/'],
          cookies: [{ domain: 'www.shop.localhost', secure: true }],
        },
        [at('http://www.shop.localhost:8080')],
      ],
      'the fewer of two ways: both cookies on the shorter host': [
        { pages: [deepPage], cookies: [{ domain: 'example.com' }, { domain: '.example.com', path: '/a' }] },
        [bareA, deep],
      ],
      'the longer host of two ways that cost the same': [
        { pages: [page, deepPage], cookies: [{ domain: '.example.com', path: '/b' }] },
        [root, at('https://x.shop.example.com/b'), deep],
      ],
      'the shorter host of two ways where it costs less': [
        {
          pages: [deepPage, 'http://shop.example.com/'],
          cookies: [{ domain: '.example.com', path: '/b' }, { domain: 'shop.example.com' }],
        },
        [
          at('http://shop.example.com/b'),
          at('http://shop.example.com'),
          at('https://shop.example.com/b'),
          deep,
        ],
      ],
      "no cookie on another one's host, unless that host has to have a point": [
        {
          pages: ['https://example.com/'],
          cookies: [
            { domain: '.shop.example.com', secure: true },
            { domain: '.example.com', path: '/a', secure: false },
          ],
        },
        [bareA, at('https://example.com'), at('https://shop.example.com')],
      ],
      'no page at all': [{ cookies: [{ domain: '.example.com' }] }, [at('https://example.com')]],
      'another prefix': [{ pages: [page], prefix: '/x/' }, ['https://www.example.com/x/']],
    }),
  )('%s', (_what, [given, urls]) => {
    expect(suggest(given)?.urls).toEqual(urls)
  })

  it('prefer an https point for a cookie', () => {
    const pages = [page, plainPage]
    const facts = gatherOfflineFacts(aConfig({ pages, cookies: [{ domain: '.example.com', path: '/a' }] }))
    const scope = facts.cookies[0]?.judged.scope
    expect(scope && findMissingUrl(scope, facts)).toBe(at('https://www.example.com/a'))
  })

  it('names what no point can carry', () => {
    const cookies = [{}, { name: 'other', domain: 'www.example.net' }, { name: 'bad name' }]
    expect(suggest({ pages: [page], cookies })?.lost).toEqual(['other', 'bad name'])
  })

  it('keep the points that are good', () => {
    const points = [at('https://www.example.com/x/y'), at('http://www.example.com'), `${page}wrong`]
    const suggestion = suggest({ pages: [page], points, cookies: [{ path: '/x' }] })
    expect(suggestion?.urls).toEqual([at('https://www.example.com/x/y')])
  })

  it.each<readonly [Given, string]>([
    [{ pages: [page], cookies: [{}] }, 'they carry every listed cookie from every page'],
    [
      { pages: [page], cookies: [{}, { name: 'other', domain: 'www.example.net' }] },
      'they carry every listed cookie but other from every page',
    ],
    [
      { pages: [plainPage], cookies: [{ secure: true }] },
      'they carry every listed cookie, and sid not from every page: the scheme of the page decides',
    ],
    [
      { pages: [page, plainPage], cookies: [{}] },
      'they carry every listed cookie, and sid not from every page: the scheme of the page decides',
    ],
    [
      { pages: [page, plainPage], cookies: [{ secure: false }] },
      'they carry every listed cookie from every page',
    ],
  ])('of %j promise that %s', (given, promise) => {
    const suggestion = suggest(given)
    expect(suggestion && describeCoverage(suggestion)).toBe(promise)
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
    pages: fc.uniqueArray(fc.constantFrom(page, 'https://shop.example.com/', deepPage), { minLength: 1 }),
    cookies: fc.array(scope, { maxLength: 5 }),
  })

  it('leave out no page and no cookie', () => {
    fc.assert(
      fc.property(given, (some) => {
        const points = suggest(some)?.urls ?? []
        expect(missing({ ...some, points })).toEqual([])
      }),
    )
  })

  it('are all needed, except those where the service’s instructions verify', () => {
    fc.assert(
      fc.property(given, (some) => {
        const points = suggest(some)?.urls ?? []
        for (const point of points.filter((each) => !pageRoots.has(each))) {
          const others = points.filter((each) => each !== point)
          expect([point, ...missing({ ...some, points: others })].length).toBeGreaterThan(1)
        }
      }),
    )
  })
})

function suggest(given: Given) {
  return suggestPoints(gatherOfflineFacts(aConfig(given)))
}

function missing(given: Given): readonly string[] {
  const only = [
    'page/no-point',
    'cookie/never-sent',
    'cookie/path-not-covered',
    'url/cross-site',
    'url/prefix',
  ]
  return checkGiven(given, { only })
    .findings.filter(({ outcome }) => outcome === 'fail')
    .map(({ id }) => id)
}
