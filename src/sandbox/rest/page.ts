/** One page of a list, with the links of its neighbours (spec 2.8). */
export interface Page<T> {
  /** Of all pages. */
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly items: readonly T[]
}

/**
 * Cuts a page out of a list. Links repeat the request's query, its key included, with another `page`.
 *
 * @param number from 1
 * @param root `http://host`
 * @param target path and query of the request
 * @returns `undefined` if there is no such page; the first one always exists
 */
export function toPage<T>(
  all: readonly T[],
  number: number,
  size: number,
  root: string,
  target: string,
): Page<T> | undefined {
  const last = Math.max(1, Math.ceil(all.length / size))
  if (number > last) return undefined
  return {
    count: all.length,
    next: number < last ? toPageLink(root, target, number + 1) : null,
    previous: number > 1 ? toPageLink(root, target, number - 1) : null,
    items: all.slice((number - 1) * size, number * size),
  }
}

function toPageLink(root: string, target: string, number: number): string {
  const [path = '', query] = target.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('page', String(number))
  return `${root}${path}?${parameters}`
}
