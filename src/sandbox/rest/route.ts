import type { Members, ValuesOf } from '../shape/shape.ts'
import type { Company } from '../state/company.ts'
import type { Service } from '../state/service.ts'
import type { Reply } from './reply.ts'

/** One endpoint: where it is, what it accepts, what it answers. The router and the description both read this. */
export interface Route<Q extends Members = Members, B extends Members = Members> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the API's root; `{NAME}` stands for one segment. */
  readonly path: string
  /** One line, no full stop. */
  readonly summary: string
  readonly credential: Credential
  readonly query: Q
  /** Absent: a body is not looked at. */
  readonly body?: B
  /** Successful answers by status. */
  readonly responses: Readonly<Record<number, string>>
  answer(call: Call<Q, B>): Reply
}

/** Whose key an endpoint takes (spec 5). */
export type Credential = 'rest-key' | 'rest-or-widget-key' | 'reseller-key' | 'none'

/** A request that was found legal. */
export interface Call<Q extends Members = Members, B extends Members = Members> {
  readonly service: Service
  /** The company whose key was sent; the account itself where none is asked for. */
  readonly company: Company
  /** The segments of the path that the route names. */
  readonly segments: Readonly<Record<string, string>>
  readonly query: ValuesOf<Q>
  readonly body: ValuesOf<B>
  readonly nowMs: number
  /** `http://host`, as the request named it, for links. */
  readonly root: string
  /** Path and query below that root, for the links of pages. */
  readonly target: string
}

/** Types a route's call from its own members. */
export function defineRoute<const Q extends Members, const B extends Members>(route: Route<Q, B>): Route {
  return route
}

/** The route of a path, with its named segments; else which methods the path has, none for an unknown path. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly segments: Call['segments'] } | { readonly methods: readonly string[] } {
  const methods: string[] = []
  for (const route of routes) {
    const segments = matchPath(route.path, path)
    if (segments === undefined) continue
    if (route.method === method) return { route, segments }
    methods.push(route.method)
  }
  return { methods }
}

function matchPath(template: string, path: string): Call['segments'] | undefined {
  const expected = template.split('/')
  const actual = path.split('/')
  if (expected.length !== actual.length) return undefined
  const segments: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const segment = actual[index] ?? ''
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    if (name === undefined ? segment !== part : segment === '') return undefined
    if (name !== undefined) segments[name] = segment
  }
  return segments
}
