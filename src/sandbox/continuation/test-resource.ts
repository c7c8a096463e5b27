import { randomUUID } from 'node:crypto'
import { NOT_STORED } from '../rest/reply.ts'

/** A resource of the stand-in's own, which adds members to the usual JSON answer. */
export interface TestResource {
  /** Default 200. */
  readonly status?: number
  /** In order; a name may come twice. Default `NOT_STORED`. */
  readonly fields?: readonly (readonly [name: string, value: string])[]
  /** Members besides `checks` and `received`. */
  readonly members?: Readonly<Record<string, unknown>>
}

/**
 * The stand-in's own protocol, for checkers and tests; it is not documented for the real service. A continuation point
 * forwards it like anything else. Below the prefix:
 *
 * | resource | answer |
 * | --- | --- |
 * | `_stand-in/redirect` | 302 to `_stand-in/arrived`, absolute on the service's own authority; two Set-Cookie lines |
 * | `_stand-in/set-cookie` | 200 with five Set-Cookie lines: HttpOnly on `/`, one with a comma in Expires, one name on two paths, one for the domain that it was asked under; with `?octets=COUNT` lines of that size in all instead |
 * | `_stand-in/nonce` | 200, `nonce` differs each time; no Cache-Control |
 * | `_stand-in/long` | 200 with 512 KiB more than usual, so that cut answers show |
 * | `_stand-in/404`, `_stand-in/500` | the usual with this status |
 *
 * @param name path below the prefix, raw
 * @param root absolute URL of the continuation end, trailing slash included
 */
export function findTestResource(
  name: string,
  query: URLSearchParams,
  root: string,
): TestResource | undefined {
  switch (name) {
    case '_stand-in/redirect':
      return {
        status: 302,
        fields: [['Location', `${root}_stand-in/arrived`], ...setCookie(REDIRECT_COOKIES)],
      }
    case '_stand-in/set-cookie':
      return {
        fields: [
          ...Object.entries(NOT_STORED),
          ...setCookie(largeCookies(query) ?? [...COOKIES, domainCookie(root)]),
        ],
      }
    case '_stand-in/nonce':
      return { fields: [], members: { nonce: randomUUID() } }
    case '_stand-in/long':
      return { members: { long: LONG_TEXT } }
    case '_stand-in/404':
    case '_stand-in/500':
      return { status: Number(name.slice(-3)) }
    default:
      return undefined
  }
}

function setCookie(lines: readonly string[]): readonly (readonly [string, string])[] {
  return lines.map((line) => ['Set-Cookie', line])
}

function largeCookies(query: URLSearchParams): readonly string[] | undefined {
  const lines = Math.min(Number(query.get('octets') ?? 0), 65_536) / 2_000
  if (!(lines > 0)) return undefined
  return Array.from({ length: Math.ceil(lines) }, (_, at) => `stand_in_${at}=${LARGE}; Path=/; Max-Age=60`)
}

// Shows a rule that maps the service's domain to the site's. Browsers on the site ignore the cookie.
function domainCookie(root: string): string {
  return `stand_in_domain=5; Domain=${new URL(root).hostname}; Path=/; Max-Age=60`
}

// Max-Age is short, for tests. The comma in Expires reveals a proxy that joins Set-Cookie lines into a list.
const COOKIES = [
  'stand_in_root=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=60',
  'stand_in_dated=2; Path=/; Expires=Fri, 31 Dec 2049 23:59:59 GMT; Max-Age=60',
  'stand_in_twice=3; Path=/; Max-Age=60',
  'stand_in_twice=4; Path=/checkout; Max-Age=60',
]

const LARGE = 'x'.repeat(2_000)

const REDIRECT_COOKIES = [
  'stand_in_redirect=1; Path=/; HttpOnly; Max-Age=60',
  'stand_in_hop=2; Path=/checkout; Max-Age=60',
]

const LONG_TEXT = 'stand-in '.repeat(Math.ceil(524_288 / 9))
