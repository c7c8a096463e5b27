import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Secret } from '../../src/config/secret.ts'
import { compilePoints, type ServedPoint } from '../../src/points/compile.ts'
import { matchPoint } from '../../src/points/match.ts'
import { isPoint, parsePoint } from '../../src/points/point.ts'

const PREFIX = '/service_cookie_transfer/'

function toServed(url: string): ServedPoint {
  const point = parsePoint(url, PREFIX)
  if (!isPoint(point)) throw new Error(point.reason)
  return { ...point, widgetKey: new Secret('key') }
}

/** What a match says, in short: the point's URL, or the kind of mismatch. */
function decide(
  urls: readonly string[],
  authority: string,
  scheme: 'http' | 'https' | undefined,
  path: string,
): string {
  const match = matchPoint(compilePoints(urls.map(toServed), PREFIX), authority, scheme, path)
  return match.kind === 'match'
    ? match.point.url
    : match.kind === 'bare-path'
      ? `bare ${match.point.url}`
      : match.kind
}

describe('matchPoint', () => {
  const POINTS = [
    'https://www.example.com/service_cookie_transfer/',
    'https://www.example.com/shop/service_cookie_transfer/',
    'https://www.example.com/shop/sale/service_cookie_transfer/',
    'http://plain.example.com/service_cookie_transfer/',
    'http://both.example.com/service_cookie_transfer/',
    'https://both.example.com/x/service_cookie_transfer/',
    'https://odd.example.com:8443/service_cookie_transfer/',
    'http://swapped.example.com:443/service_cookie_transfer/',
    'https://swapped.example.com:80/service_cookie_transfer/',
    'https://bücher.example/service_cookie_transfer/',
    'https://[2001:db8::1]/service_cookie_transfer/',
  ]
  const ROOT = '/service_cookie_transfer/'

  it.each([
    ['www.example.com', undefined, ROOT, 'https://www.example.com/service_cookie_transfer/'],
    ['www.example.com', 'https', `${ROOT}a/b`, 'https://www.example.com/service_cookie_transfer/'],
    ['www.example.com:443', undefined, ROOT, 'https://www.example.com/service_cookie_transfer/'],
    ['www.example.com', undefined, `/shop${ROOT}a`, 'https://www.example.com/shop/service_cookie_transfer/'],
    [
      'www.example.com',
      undefined,
      `/shop/sale${ROOT}a`,
      'https://www.example.com/shop/sale/service_cookie_transfer/',
    ],
    ['www.example.com', undefined, `/shop/sale/x${ROOT}a`, 'unknown-path'],
    ['www.example.com', undefined, `${ROOT}shop${ROOT}`, 'https://www.example.com/service_cookie_transfer/'],
    [
      'www.example.com',
      undefined,
      '/service_cookie_transfer',
      'bare https://www.example.com/service_cookie_transfer/',
    ],
    [
      'www.example.com',
      undefined,
      '/shop/service_cookie_transfer',
      'bare https://www.example.com/shop/service_cookie_transfer/',
    ],
    ['www.example.com', undefined, '/shop', 'unknown-path'],
    ['www.example.com', undefined, '', 'unknown-path'],
    ['www.example.com', undefined, '*', 'unknown-path'],
    ['www.example.com', 'http', ROOT, 'other-scheme'],
    ['www.example.com', 'http', '/other', 'other-scheme'],
    ['www.example.com:80', undefined, ROOT, 'unknown-authority'],
    ['www.example.com:80', 'https', ROOT, 'unknown-authority'],
    ['WWW.example.com', undefined, ROOT, 'unknown-authority'],
    ['plain.example.com', undefined, ROOT, 'http://plain.example.com/service_cookie_transfer/'],
    ['plain.example.com:80', 'http', ROOT, 'http://plain.example.com/service_cookie_transfer/'],
    ['plain.example.com', 'https', ROOT, 'other-scheme'],
    ['plain.example.com:443', 'https', ROOT, 'unknown-authority'],
    ['both.example.com', undefined, ROOT, 'ambiguous-scheme'],
    ['both.example.com', undefined, '/other', 'ambiguous-scheme'],
    ['both.example.com', 'http', ROOT, 'http://both.example.com/service_cookie_transfer/'],
    ['both.example.com', 'https', ROOT, 'unknown-path'],
    ['both.example.com', 'https', `/x${ROOT}`, 'https://both.example.com/x/service_cookie_transfer/'],
    ['both.example.com:80', undefined, ROOT, 'http://both.example.com/service_cookie_transfer/'],
    ['both.example.com:443', undefined, `/x${ROOT}`, 'https://both.example.com/x/service_cookie_transfer/'],
    ['both.example.com:443', 'http', ROOT, 'other-scheme'],
    ['odd.example.com:8443', undefined, ROOT, 'https://odd.example.com:8443/service_cookie_transfer/'],
    ['odd.example.com', undefined, ROOT, 'unknown-authority'],
    ['odd.example.com:443', undefined, ROOT, 'unknown-authority'],
    ['swapped.example.com:443', undefined, ROOT, 'http://swapped.example.com:443/service_cookie_transfer/'],
    ['swapped.example.com:80', undefined, ROOT, 'https://swapped.example.com:80/service_cookie_transfer/'],
    ['swapped.example.com', undefined, ROOT, 'unknown-authority'],
    ['xn--bcher-kva.example', undefined, ROOT, 'https://xn--bcher-kva.example/service_cookie_transfer/'],
    ['[2001:db8::1]', undefined, ROOT, 'https://[2001:db8::1]/service_cookie_transfer/'],
    ['[2001:db8::1]:443', undefined, ROOT, 'https://[2001:db8::1]/service_cookie_transfer/'],
    ['__proto__', undefined, ROOT, 'unknown-authority'],
    ['', undefined, ROOT, 'unknown-authority'],
  ] as const)('%s, %s, %s: %s', (authority, scheme, path, decision) => {
    expect(decide(POINTS, authority, scheme, path)).toBe(decision)
  })

  it('owns nothing without points', () => {
    expect(decide([], 'www.example.com', 'https', ROOT)).toBe('unknown-authority')
  })

  it('agrees with trying every point in turn', () => {
    const scheme = fc.constantFrom('http' as const, 'https' as const)
    const host = fc.constantFrom('a.example', 'b.example')
    const port = fc.constantFrom('', ':80', ':443', ':8080')
    const cookiePath = fc.constantFrom('', '/x', '/x/y', '/x//y', '/service_cookie_transfe', '/é')
    const url = fc.tuple(scheme, host, port, cookiePath).map(([s, h, p, c]) => `${s}://${h}${p}${c}${PREFIX}`)
    const path = fc
      .array(fc.constantFrom('/x', '/y', '/', 'service_cookie_transfer', PREFIX, 'é', '/%C3%A9'), {
        maxLength: 6,
      })
      .map((pieces) => pieces.join(''))
    const asked = fc.tuple(host, port, fc.option(scheme, { nil: undefined }), path)
    fc.assert(
      fc.property(
        fc.uniqueArray(url, { maxLength: 8, selector: (text) => new URL(text).href }),
        asked,
        (urls, request) => {
          const [host, port, scheme, path] = request
          expect(decide(urls, host + port, scheme, path)).toBe(decideNaively(urls, host + port, scheme, path))
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

/** The contract's sentences, one after the other, without any table. */
function decideNaively(
  urls: readonly string[],
  authority: string,
  scheme: 'http' | 'https' | undefined,
  path: string,
): string {
  const hasAuthority = (url: URL) => new URL(`${url.protocol}//${authority}/`).host === url.host
  const known = urls.map((url) => new URL(url)).filter(hasAuthority)
  const schemes = new Set(known.map(({ protocol }) => protocol.slice(0, -1)))
  if (schemes.size === 0) return 'unknown-authority'
  if (scheme === undefined && schemes.size === 2) return 'ambiguous-scheme'
  if (scheme !== undefined && !schemes.has(scheme)) return 'other-scheme'
  const candidates = known.filter(({ protocol }) => scheme === undefined || protocol === `${scheme}:`)
  const [longest] = candidates
    .filter(({ pathname }) => path.startsWith(pathname))
    .sort((one, other) => other.pathname.length - one.pathname.length)
  if (longest !== undefined) return longest.href
  const bare = candidates.find(({ pathname }) => path === pathname.slice(0, -1))
  return bare === undefined ? 'unknown-path' : `bare ${bare.href}`
}
