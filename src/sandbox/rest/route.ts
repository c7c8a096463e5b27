import type { Company } from '../state/company.ts'
import type { Deliveries } from '../state/deliveries.ts'
import type { Members, ValuesOf } from '../state/schema.ts'
import type { Service } from '../state/service.ts'

/** One endpoint: its path, what it accepts and what it answers. */
export interface Route<Q extends Members = Members, B extends Members = Members, S = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the API's root; `{NAME}` stands for one segment. */
  readonly path: string
  /** Default 200. */
  readonly status?: 201 | 204
  /** Whose key it takes (spec 5); default `rest-key`. */
  readonly credential?: 'rest-or-widget-key' | 'reseller-key' | 'none'
  readonly query?: Q
  /** Absent: a body is ignored. */
  readonly body?: B
  /** Whether what the body has besides its members is kept as options. */
  readonly takesOptions?: true
  /** Finds what the path names, if the call is valid otherwise; returns the refusal if there is nothing. */
  find?(named: Named): S | Response
  /** Returns the JSON of a successful answer, `undefined` for one without content; a response stands for itself. */
  answer(call: Call<Q, B, S>): unknown
}

/** A valid request. */
export interface Call<Q extends Members = Members, B extends Members = Members, S = unknown> {
  readonly service: Service
  readonly deliveries: Deliveries
  /** The company whose key was sent; the account itself if none is needed. */
  readonly company: Company
  readonly segments: Readonly<Record<string, string>>
  readonly query: ValuesOf<Q>
  readonly body: ValuesOf<B>
  /** Options that the service's document doesn't have. */
  readonly others: Readonly<Record<string, unknown>>
  readonly subject: Exclude<S, Response>
  /** Each becomes a `Warning` of the answer. */
  readonly warnings: string[]
  readonly nowMs: number
  /** `http://host`, as the request named it, for links. */
  readonly root: string
  /** Path and query below that root, for the links of pages. */
  readonly target: string
}

/** What a path names. */
export type Named = Pick<Call, 'service' | 'company' | 'segments'>

/** What links and times in an answer are made from. */
export type AnswerContext = Pick<Call, 'service' | 'nowMs' | 'root'>

/** Makes a route, and types its call from its own members. */
export function route<const Q extends Members, const B extends Members, S>(
  line: `${Route['method']} /${string}`,
  rest: Omit<Route<Q, B, S>, 'method' | 'path'>,
): Route {
  const [method, path] = line.split(' ', 2) as [Route['method'], string]
  return { method, path, ...rest } as Route
}

/** The item with the number that a segment of the path gives. */
export function itemOf<T>(items: ReadonlyMap<number, T>, id = ''): T | undefined {
  return /^[1-9]\d{0,14}$/.test(id) ? items.get(Number(id)) : undefined
}
