import { parseUrl } from '../http/url.ts'
import { json } from './answer.ts'
import { ApiError } from './errors.ts'
import type { CallOptions, Query } from './request.ts'
import { nullable, requireWhole, type Schema, text } from './schema.ts'
import type { Send } from './send.ts'

/** The links of every page (spec 2.8), without the API key. */
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
 * Links of the service are not followed as they are: a link has to lead to the same path on the same origin, and only its
 * query is used. Any other link, one that leads back, or 10 empty pages in a row, is an `ApiError` of kind `malformed`.
 *
 * @param root REST root without a trailing slash
 * @throws RangeError if `mostPages` is not a whole number from 1
 */
export async function* eachPage<Page extends PageLinks & { readonly results: readonly unknown[] }>(
  send: Send,
  root: string,
  path: `/${string}`,
  schema: Schema<Page>,
  query: Query,
  { mostPages = Number.POSITIVE_INFINITY, ...call }: PagingOptions = {},
  limitBytes?: number,
): AsyncGenerator<Page, void, undefined> {
  if (mostPages !== Number.POSITIVE_INFINITY) requireWhole({ mostPages }, 1)
  const fail = (detail: string) => new ApiError('GET', path, { kind: 'malformed', detail })
  const seen = new Set<string>()
  let wanted: Query | undefined = query
  let empty = 0
  for (let count = 0; count < mostPages; count += 1) {
    const page: Page = await send(`GET ${path}`, json(schema), call, { query: wanted, limitBytes })
    empty = page.results.length === 0 ? empty + 1 : 0
    if (empty === MOST_EMPTY && page.next !== null) throw fail(`${MOST_EMPTY} empty pages in a row`)
    yield { ...page, next: withoutKeyParameter(page.next), previous: withoutKeyParameter(page.previous) }
    if (typeof page.next !== 'string') return
    wanted = parseNextQuery(page.next, `${root}${path}`)
    const name = JSON.stringify(wanted)
    if (wanted === undefined) throw fail('/next leads elsewhere')
    if (seen.has(name)) throw fail('/next leads back to an earlier page')
    seen.add(name)
  }
}

const MOST_EMPTY = 10

/** What is on the pages, as the loop reaches them. */
export async function* eachItem<Item>(
  pages: AsyncIterable<{ readonly results: readonly Item[] }>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { results } of pages) yield* results
}

/** A link of a page: a URL, absolute or relative to the page, or null. */
export const link: Schema<string | null> = nullable(text)

function parseNextQuery(next: string, listUrl: string): Query | undefined {
  const list = new URL(listUrl)
  const url = parseUrl(next, listUrl)
  if (url === undefined || url.origin !== list.origin || url.pathname !== list.pathname) return undefined
  const names = [...new Set(url.searchParams.keys())].filter((name) => !isKeyParameter(name))
  return Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)]))
}

/** A service that builds links from the request's own address puts the key into them. */
function withoutKeyParameter(address: string | null): string | null {
  const queryAt = address?.indexOf('?') ?? -1
  if (address === null || queryAt === -1) return address
  const kept = address
    .slice(queryAt + 1)
    .split('&')
    .filter((pair) => ![...new URLSearchParams(pair).keys()].some(isKeyParameter))
  return kept.length === 0 ? address.slice(0, queryAt) : `${address.slice(0, queryAt)}?${kept.join('&')}`
}

function isKeyParameter(name: string): boolean {
  return name.toLowerCase() === 'api_key'
}
