import fc from 'fast-check'
import type { CookieConfig } from '../../../src/config/config.ts'
import { prefix } from '../a-config.ts'

/** A cookie as a config lists it, with the hints that it may leave out. */
export type WorldCookie = Pick<CookieConfig, 'name' | 'domain' | 'path' | 'httponly' | 'secure' | 'sameSite'>

/** What is put before the browser at once. Every choice of its pages and points is a set-up of its own. */
export interface World {
  /** Origins. */
  readonly pages: readonly string[]
  /** URLs as a config may write them. */
  readonly points: readonly string[]
  readonly cookies: readonly WorldCookie[]
}

/** Hosts by their site, written by hand, so that the oracle doesn't depend on the code under test. */
const sites: readonly (readonly string[])[] = [
  ['www.example.com', 'example.com', 'shop.example.com'],
  ['www.example.co.uk', 'example.co.uk'],
  ['shop.github.io'],
  ['other.github.io'],
  ['localhost'],
  ['www.shop.localhost', 'shop.localhost'],
  ['127.0.0.1'],
  ['[::1]'],
]

/** The widget ignores a point of another site, whatever the browser would send there. */
export function isOfOneSite(a: string, b: string): boolean {
  const [hostA, hostB] = [new URL(a).hostname, new URL(b).hostname]
  return sites.some((hosts) => hosts.includes(hostA) && hosts.includes(hostB))
}

const segment = fc.oneof(
  fc.constantFrom('shop', 'Shop', 'a', 'a|b', 'a^b', 'a%7Cb', 'a%5Eb', '%2F', '%41', 'A', '%zz', '~x', '[x]'),
  fc.string({ unit: fc.constantFrom(...`abAB09|^%!$&'()*+,:=@~[]"<>{}\`-._`), minLength: 1, maxLength: 3 }),
)
// No point has a dot segment; what it asks of such a URL is not for a cookie's verdict to say.
const path = fc
  .array(segment, { maxLength: 2 })
  .map((segments) => segments.map((each) => `/${each}`).join(''))
  .filter((text) => !/(?:^|\/)(?:\.|%2e)+(?:\/|$)/i.test(text))

const pathOfCookie = (known: readonly string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('/') },
    { weight: 3, arbitrary: fc.constantFrom(...known).map((text) => text || '/') },
    { weight: 1, arbitrary: fc.constantFrom(...known).map((text) => `${text}/`) },
    { weight: 1, arbitrary: fc.constantFrom(...known).map((text) => `${text}${prefix}`) },
    { weight: 1, arbitrary: fc.constantFrom(...known).map((text) => `${text}${prefix.slice(0, -1)}`) },
    { weight: 1, arbitrary: fc.constantFrom('/a/../b', '/a b', '//', '/.', '/a\\b', '/a?b', '/a#b') },
  )

const domainOf = (host: string) => {
  const tails = host.split('.').map((_, index, labels) => labels.slice(index).join('.'))
  const dotted = host.startsWith('[') || /^[\d.]+$/.test(host) ? [host] : tails
  return fc.oneof(
    fc.constant(host),
    fc.constantFrom(...dotted),
    fc.constantFrom(...dotted.map((each) => `.${each}`)),
  )
}

const origin = (hosts: readonly string[]) =>
  fc
    .tuple(fc.constantFrom('http', 'https'), fc.constantFrom(...hosts), fc.constantFrom('', '', ':port'))
    .map(
      ([scheme, host, port]) =>
        `${scheme}://${host}${port === '' ? '' : scheme === 'http' ? ':8080' : ':8443'}`,
    )

/** Worlds of one or two sites, so that pages, points and cookies have to do with each other. */
export const worlds: fc.Arbitrary<World> = fc
  .tuple(
    fc.shuffledSubarray([...sites], { minLength: 1, maxLength: 2 }),
    fc.array(path, { minLength: 2, maxLength: 4 }),
  )
  .chain(([[home = [], guest = home], paths]) => {
    const host = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...home) }, fc.constantFrom(...guest))
    const point = fc
      .tuple(fc.oneof({ weight: 4, arbitrary: origin(home) }, origin(guest)), fc.constantFrom('', ...paths))
      .map(([at, cookiePath]) => `${at}${cookiePath}${prefix}`)
    const cookie = host.chain((of) =>
      fc.record({
        name: fc.constantFrom('sid', 'sid', 'sid', '__Secure-s', '__Host-s', '__http-s', '__Host-Http-s'),
        domain: domainOf(of),
        path: pathOfCookie(['', ...paths]),
        httponly: fc.boolean(),
        secure: fc.constantFrom(undefined, undefined, true, false),
        sameSite: fc.constantFrom<WorldCookie['sameSite'][]>(undefined, undefined, 'None', 'Lax', 'Strict'),
      }),
    )
    return fc.record({
      pages: fc.uniqueArray(origin(home), { minLength: 1, maxLength: 3 }),
      points: fc.uniqueArray(point, { minLength: 2, maxLength: 5 }),
      cookies: fc.array(cookie, { minLength: 6, maxLength: 10 }),
    })
  })

/** What once differed from the browser, one world a class. */
export const keptWorlds: readonly World[] = [
  {
    pages: ['https://www.shop.localhost', 'http://www.shop.localhost'],
    points: [`http://www.shop.localhost:8080${prefix}`, `https://www.shop.localhost${prefix}`],
    cookies: [aCookie('www.shop.localhost'), aCookie('.shop.localhost', { sameSite: 'None', secure: true })],
  },
  {
    pages: ['https://www.example.com'],
    points: [`http://www.example.com${prefix}`, `http://www.example.com/shop${prefix}`],
    cookies: [aCookie('www.example.com', { secure: false }), aCookie('.example.com', { path: '/shop' })],
  },
  {
    pages: ['http://www.example.com', 'https://www.example.com'],
    points: [`http://www.example.com${prefix}`, `https://www.example.com${prefix}`],
    cookies: [
      aCookie('www.example.com', { sameSite: 'None' }),
      aCookie('www.example.com', { sameSite: 'None', secure: false }),
    ],
  },
  {
    pages: ['https://www.example.com'],
    points: [`https://www.example.com/a|b${prefix}`, `https://www.example.com/a%5Eb${prefix}`],
    cookies: ['/a|b', '/a%7Cb', '/a^b', '/a%5Eb'].map((text) => aCookie('www.example.com', { path: text })),
  },
  {
    pages: ['https://www.example.com'],
    points: [`https://www.example.com${prefix}`, `https://www.example.com/shop${prefix}`],
    cookies: [prefix, `/shop${prefix}`, prefix.slice(0, -1), `/shop${prefix.slice(0, -1)}`].map((text) =>
      aCookie('www.example.com', { path: text }),
    ),
  },
]

function aCookie(domain: string, given: Partial<WorldCookie> = {}): WorldCookie {
  return { name: 'sid', domain, path: '/', httponly: true, secure: undefined, sameSite: undefined, ...given }
}
