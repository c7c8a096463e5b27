import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Secret } from '../../src/config/secret.ts'
import { compilePoints, matchPoint, type ServedPoint } from '../../src/points/match.ts'
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
  if ('point' in match) return match.kind === 'match' ? match.point.url : `bare ${match.point.url}`
  return match.kind
}

describe('matchPoint', () => {
  const WWW = `https://www.example.com${PREFIX}`
  const SHOP = `https://www.example.com/shop${PREFIX}`
  const PLAIN = `http://both.example.com${PREFIX}`
  const SECURE = `https://both.example.com/x${PREFIX}`
  const IDN = `https://xn--bcher-kva.example${PREFIX}`
  const POINTS = [
    WWW,
    SHOP,
    PLAIN,
    SECURE,
    `https://bücher.example${PREFIX}`,
    `https://[2001:db8::1]${PREFIX}`,
  ]

  // Everything else is compared below.
  it.each([
    ['www.example.com:443', undefined, PREFIX, WWW],
    ['www.example.com', undefined, `/shop${PREFIX}a`, SHOP],
    ['www.example.com', undefined, `${PREFIX}shop${PREFIX}`, WWW],
    ['www.example.com', undefined, `/shop${PREFIX}`.slice(0, -1), `bare ${SHOP}`],
    ['www.example.com', undefined, '', 'unknown-path'],
    ['www.example.com', undefined, '*', 'unknown-path'],
    ['www.example.com', 'http', '/other', 'other-scheme'],
    ['www.example.com:80', 'https', PREFIX, 'unknown-authority'],
    ['WWW.example.com', undefined, PREFIX, 'unknown-authority'],
    ['both.example.com', undefined, '/other', 'ambiguous-scheme'],
    ['both.example.com', 'https', PREFIX, 'unknown-path'],
    ['both.example.com:443', undefined, `/x${PREFIX}`, SECURE],
    ['both.example.com:443', 'http', PREFIX, 'other-scheme'],
    ['xn--bcher-kva.example', undefined, PREFIX, IDN],
    ['[2001:db8::1]:443', undefined, PREFIX, `https://[2001:db8::1]${PREFIX}`],
    ['__proto__', undefined, PREFIX, 'unknown-authority'],
    ['', undefined, PREFIX, 'unknown-authority'],
  ] as const)('%s, %s, %s: %s', (authority, scheme, path, decision) => {
    expect(decide(POINTS, authority, scheme, path)).toBe(decision)
  })

  it('owns nothing without points', () => {
    expect(decide([], 'www.example.com', 'https', PREFIX)).toBe('unknown-authority')
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
