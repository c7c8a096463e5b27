/** The first texts of a list, and how many follow: every list that is cut says so. */
export function shorten(texts: readonly string[], most = MOST): readonly string[] {
  const more = texts.length - most
  return more > 0 ? [...texts.slice(0, most), `and ${more} more`] : texts
}

/** How many texts a list has, one that was cut included. */
export function countAll(texts: readonly string[]): number {
  const [, more] = /^and (\d+) more$/.exec(texts.at(-1) ?? '') ?? []
  return more === undefined ? texts.length : texts.length - 1 + Number(more)
}

const MOST = 10
