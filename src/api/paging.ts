import type { ReadBody } from './answer.ts'
import { ApiError } from './errors.ts'
import { type CallOptions, type Query, requireWhole } from './request.ts'
import type { Send } from './send.ts'

/** The links of every page (spec 2.8), without the parameter that has the API key. */
export interface PageLinks {
  /** The page after this one; null on the last. */
  readonly next: string | null
  /** The page before this one; null on the first. */
  readonly previous: string | null
}

export interface PagingOptions extends CallOptions {
  /** How many pages are read before the loop ends. Default: all. */
  readonly mostPages?: number | undefined
}

/**
 * Every page from the first on, each fetched when it is read.
 *
 * Links of the service are not followed as they are: only their query is used, at the list's own address, since a service
 * behind a TLS terminator may write another scheme or host. A link that leads back or is no text, and 10 empty pages in a
 * row, are an `ApiError` of kind `malformed`.
 *
 * @throws RangeError if `mostPages` is not a whole number from 1
 */
export async function* eachPage<Page extends PageLinks & { readonly results: readonly unknown[] }>(
  send: Send,
  path: `/${string}`,
  expected: ReadBody<Page>,
  query: Query,
  { mostPages = Number.POSITIVE_INFINITY, ...call }: PagingOptions = {},
  limitBytes?: number,
): AsyncGenerator<Page, void, undefined> {
  if (mostPages !== Number.POSITIVE_INFINITY) requireWhole({ mostPages }, 1)
  const fail = (detail: string) => new ApiError('GET', path, { kind: 'malformed', detail })
  const seen = new Set<string>()
  let wanted = query
  let empty = 0
  for (let count = 0; count < mostPages; count += 1) {
    const page: Page = await send(`GET ${path}`, expected, call, { query: wanted, limitBytes })
    const { next, previous } = page
    empty = page.results.length === 0 ? empty + 1 : 0
    if (empty === MOST_EMPTY && typeof next === 'string') throw fail(`${MOST_EMPTY} empty pages in a row`)
    if (next !== null && next !== undefined && typeof next !== 'string') throw fail('next is no link')
    if ([next, previous].some((link) => (link?.length ?? 0) > MOST_LINK_CHARACTERS))
      throw fail('a link is too long')
    yield { ...page, next: withoutKeyParameter(next), previous: withoutKeyParameter(previous) }
    if (next === null || next === undefined) return
    wanted = toQuery(next)
    const name = JSON.stringify(wanted)
    if (name === '{}' || seen.has(name)) throw fail('next leads back to an earlier page')
    seen.add(name)
  }
}

const MOST_EMPTY = 10
const MOST_LINK_CHARACTERS = 8_192

/** What is on the pages, as the loop reaches them. */
export async function* eachItem<Item>(
  pages: AsyncIterable<{ readonly results: readonly Item[] }>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { results } of pages) yield* results
}

/** The query of a link, without the key. */
function toQuery(link: string): Query {
  const [, query = ''] = /\?([^#]*)/.exec(link) ?? []
  const valuesOf = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) {
    const values = valuesOf.get(name)
    if (values !== undefined) values.push(value)
    else if (!isKeyParameter(name)) valuesOf.set(name, [value])
  }
  return Object.fromEntries(valuesOf)
}

/** A service that builds links from the request's own address puts the key into them. */
function withoutKeyParameter<Link extends string | null>(link: Link): Link | string {
  const queryAt = typeof link === 'string' ? link.indexOf('?') : -1
  if (typeof link !== 'string' || queryAt === -1) return link
  const kept = link
    .slice(queryAt + 1)
    .split('&')
    .filter((pair) => ![...new URLSearchParams(pair).keys()].some(isKeyParameter))
  return kept.length === 0 ? link.slice(0, queryAt) : `${link.slice(0, queryAt)}?${kept.join('&')}`
}

function isKeyParameter(name: string): boolean {
  return name.toLowerCase() === 'api_key'
}
