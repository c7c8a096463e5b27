/** Keys and indexes from the root of the config down to one value. */
export type Path = readonly (string | number)[]

/** The path as a JSON Pointer (RFC 6901, section 3): `~` and `/` within a key are escaped. */
export function formatPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The offset of each line, so that a position takes a binary search. */
export function findLineStarts(text: string): readonly number[] {
  const starts = [0]
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length)
  return starts
}

/** Line and column of an offset, both from 1; columns count UTF-16 code units, as editors do. */
export function findPosition(
  offset: number,
  lineStarts: readonly number[],
): { readonly line: number; readonly column: number } {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 }
}
