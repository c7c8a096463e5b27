import { notFound, ok, type Reply } from './reply.ts'
import type { Call } from './route.ts'

/**
 * Answers with one page of a list and the links of its neighbours (spec 2.8). Links repeat the request's query, its key
 * included, with another `page`. The first page always exists.
 *
 * @param further members that come before the links
 */
export function answerPage<T>(
  {
    query,
    service,
    root,
    target,
  }: Pick<Call, 'service' | 'root' | 'target'> & { readonly query: { readonly page?: number | undefined } },
  all: readonly T[],
  toItem: (item: T) => unknown,
  further: Readonly<Record<string, unknown>> = {},
): Reply {
  const { page = 1 } = query
  const last = Math.max(1, Math.ceil(all.length / service.pageSize))
  if (page > last) return notFound('page', 'page of this number')
  const toLink = (number: number) => {
    const [path = '', parameters] = target.split('?', 2)
    const changed = new URLSearchParams(parameters)
    changed.set('page', String(number))
    return `${root}${path}?${changed}`
  }
  return ok({
    ...further,
    next: page < last ? toLink(page + 1) : null,
    previous: page > 1 ? toLink(page - 1) : null,
    results: all.slice((page - 1) * service.pageSize, page * service.pageSize).map(toItem),
  })
}
