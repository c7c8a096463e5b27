/** A Set-Cookie line that no scope comes of. */
export interface LeftOut {
  /** `foreign`: its Domain is not one of the host's. `deletion`: it takes a cookie away. */
  readonly kind: 'nameless' | 'hostless' | 'foreign' | 'deletion'
  /** Of the cookie; empty when it has none. */
  readonly name: string
}

/** One sentence for each kind: how many lines, why, and the names of their cookies. */
export function toNotes(leftOut: readonly LeftOut[]): readonly string[] {
  return kinds.flatMap(({ kind, one, many }) => {
    const lines = leftOut.filter((each) => each.kind === kind)
    if (lines.length === 0) return []
    const count = lines.length === 1 ? `1 Set-Cookie line ${one}` : `${lines.length} Set-Cookie lines ${many}`
    if (kind === 'nameless') return [`${count} left out.`]
    return [`${count}; left out: ${[...new Set(lines.map(({ name }) => name))].join(', ')}.`]
  })
}

const kinds: readonly {
  readonly kind: LeftOut['kind']
  readonly one: string
  readonly many: string
}[] = [
  { kind: 'nameless', one: 'names no cookie and was', many: 'name no cookie and were' },
  {
    kind: 'hostless',
    one: 'has no Domain, and nobody told the host (--host)',
    many: 'have no Domain, and nobody told the host (--host)',
  },
  {
    kind: 'foreign',
    one: 'has a Domain that the host does not match, so a browser refuses it',
    many: 'have a Domain that the host does not match, so a browser refuses them',
  },
  { kind: 'deletion', one: 'deletes a cookie', many: 'delete a cookie' },
]
