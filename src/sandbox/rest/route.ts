import { TrieRouter } from 'hono/router/trie-router'
import type { Members, ValuesOf } from '../schema/schema.ts'
import type { Company, Service } from '../state/service.ts'
import type { Reply } from './reply.ts'

/** One endpoint: its path, what it accepts and what it answers, for the router and the description. */
export interface Route<Q extends Members = Members, B extends Members = Members, S = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the API's root; `{NAME}` stands for one segment. */
  readonly path: string
  /** One line, no full stop. */
  readonly summary: string
  /** Default `rest-key`. */
  readonly credential?: Credential
  readonly query?: Q
  /** Absent: a body is ignored. */
  readonly body?: B
  /** Successful answers by status. */
  readonly responses: Readonly<Record<number, string>>
  /** Finds what the path names, if the call is valid otherwise; returns the refusal if there is nothing. */
  find?(named: Named): S | Reply
  answer(call: Call<Q, B, S>): Reply
}

/** Whose key an endpoint takes (spec 5). */
export type Credential = 'rest-key' | 'rest-or-widget-key' | 'reseller-key' | 'none'

/** What a path names. */
export interface Named {
  readonly service: Service
  /** The company whose key was sent; the account itself if none is needed. */
  readonly company: Company
  readonly segments: Readonly<Record<string, string>>
}

/** What links and times in an answer are made from. */
export interface AnswerContext {
  readonly service: Service
  readonly nowMs: number
  /** `http://host`, as the request named it, for links. */
  readonly root: string
}

/** A valid request. */
export interface Call<Q extends Members = Members, B extends Members = Members, S = unknown>
  extends Named,
    AnswerContext {
  readonly query: ValuesOf<Q>
  readonly body: ValuesOf<B>
  readonly subject: S
  /** Path and query below that root, for the links of pages. */
  readonly target: string
}

/** Makes a route, and types its call from its own members. */
export function route<const Q extends Members, const B extends Members, S>(
  line: `${Route['method']} /${string}`,
  summary: string,
  rest: Omit<Route<Q, B, S>, 'method' | 'path' | 'summary'>,
): Route {
  const [method, path] = line.split(' ', 2) as [Route['method'], string]
  return { method, path, summary, ...rest } as Route
}

/** The item with the number that a segment of the path gives. */
export function itemOf<T>(items: ReadonlyMap<number, T>, id = ''): T | undefined {
  return /^[1-9]\d{0,14}$/.test(id) ? items.get(Number(id)) : undefined
}

type FoundRoute =
  | { readonly route: Route; readonly segments: Call['segments'] }
  | { readonly methods: readonly string[] }

/**
 * Finds the route of a raw path, with its named segments. If none takes the method, returns the methods that the path
 * takes: none for an unknown path. Hono's router also works for raw paths, whose segments may contain percent signs.
 */
export function compileRouter(routes: readonly Route[]): (method: string, path: string) => FoundRoute {
  const router = new TrieRouter<Route>()
  for (const each of routes) router.add(each.method, each.path.replaceAll(/\{(\w+)\}/g, ':$1'), each)
  const match = (method: string, path: string): FoundRoute | undefined => {
    const [[found] = []] = router.match(method, path)
    if (found === undefined) return undefined
    return { route: found[0], segments: found[1] as Record<string, string> }
  }
  return (method, path) =>
    match(method, path) ?? { methods: METHODS.filter((each) => match(each, path) !== undefined) }
}

const METHODS: readonly Route['method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
