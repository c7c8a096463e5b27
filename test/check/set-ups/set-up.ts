import type { Settings } from '../../../src/sandbox/state/company.ts'
import type { Parts, Place, Through } from './front-end-text.ts'
import type { RemedyName } from './remedies.ts'

/** A complete set-up with one mistake in it, and its expected fix. */
export interface SetUp {
  readonly name: string
  readonly server: 'nginx' | 'apache' | 'caddy' | 'haproxy' | 'varnish' | 'node'
  readonly through: Through
  readonly scheme: 'http' | 'https'
  /** The rule that has to name it. */
  readonly rule: string
  /** Rules that name it too, since one setting has two effects. */
  readonly also?: readonly string[]
  /** A part of the message. */
  readonly cause: string
  readonly broken: Changing
  /**
   * What changes as the fix says; every line that is added must be in the fix. Absent: the parts that are broken get what is
   * right, and are left out if that is nothing.
   */
  readonly fixed?: Changing
  /** Which line of the front end the fix has. */
  readonly remedy?: RemedyName
  /** What the fix says in words if it has no line to paste. */
  readonly says: string
  /** What the report shows of what was sent and what arrived. */
  readonly shows?: readonly string[]
  /** Whether the config names the front end. */
  readonly isNamed?: true
}

/** Other parts of the front end alone, or all that differs at a place. */
export type Changing = Parts | ((place: Place) => Change)

/** What differs from a correct set-up. */
export interface Change {
  readonly parts?: Parts
  readonly serve?: 'down'
  /** The widget key of `serve`, if it is not the right one. */
  readonly serveKey?: string
  readonly service?: 'down'
  /** Further points of `serve`. */
  readonly served?: readonly string[]
  readonly account?: Partial<Settings>
  readonly flags?: readonly string[]
  /** Laid over the config that is checked. */
  readonly config?: Readonly<Record<string, unknown>>
}

export type Given = Pick<SetUp, 'cause' | 'broken'> & Partial<SetUp>

export function setUp(name: string, server: SetUp['server'], given: Given): SetUp {
  return { name, server, rule: 'live/forwarded', through: 'serve', scheme: 'http', says: '', ...given }
}

/** A second point, on a cookie path. */
export function toShop({ origin, point }: Place): Change {
  const points = [point, point.replace(origin, `${origin}/shop`)]
  return { account: { cookie_transfer_urls: points }, config: { points } }
}
