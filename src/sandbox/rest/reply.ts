import type { Fault } from '../state/schema.ts'
import type { Call } from './route.ts'

/** No answer of the service may be stored. */
export const NOT_STORED = { 'Cache-Control': 'no-store' } as const

/** **Ours:** every refusal has the body that the service shows for an unknown agent: messages by field name (spec 7). */
export function refused(
  status: number,
  errors: Readonly<Record<string, readonly string[]>>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ errors }, { status, headers: { ...NOT_STORED, ...headers } })
}

export function refusedFor(faults: readonly Fault[]): Response {
  return refused(400, toFieldErrors(faults))
}

export function notFound(field: string, what: string): Response {
  return refused(404, { [field]: [`No ${what} was found.`] })
}

/** Faults by field; a fault of the whole body is under `body`. */
export function toFieldErrors(faults: readonly Fault[]): Readonly<Record<string, readonly string[]>> {
  const errors = new Map<string, string[]>()
  for (const { path, message } of faults) {
    const [field = 'body', ...within] = path.map(String)
    const text = `${within.length === 0 ? 'It' : within.join('/')} ${message}.`
    if (errors.get(field)?.push(text) === undefined) errors.set(field, [text])
  }
  return Object.fromEntries(errors)
}

/**
 * Answers with one page of a list and the links of its neighbours (spec 2.8). Links repeat the request's query, its key
 * included, with another `page`. The first page always exists.
 *
 * @param further members that come before the links
 */
export function answerPage<T>(
  call: Pick<Call, 'service' | 'root' | 'target'> & {
    readonly query: { readonly page?: number | undefined }
  },
  all: readonly T[],
  toItem: (item: T) => unknown,
  further: Readonly<Record<string, unknown>> = {},
) {
  const { service, root, target } = call
  const { page = 1 } = call.query
  const last = Math.max(1, Math.ceil(all.length / service.pageSize))
  if (page > last) return notFound('page', 'page of this number')
  const toLink = (number: number) => {
    const [path = ''] = target.split('?', 1)
    const changed = new URLSearchParams(target.slice(path.length))
    changed.set('page', String(number))
    return `${root}${path}?${changed}`
  }
  return {
    ...further,
    next: page < last ? toLink(page + 1) : null,
    previous: page > 1 ? toLink(page - 1) : null,
    results: all.slice((page - 1) * service.pageSize, page * service.pageSize).map(toItem),
  }
}
