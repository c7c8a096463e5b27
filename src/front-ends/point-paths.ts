/**
 * The paths of the points that a rule for this path makes.
 *
 * @param prefix `/service_cookie_transfer/`
 * @returns empty if the rule isn't about the prefix; `unclear` if it is, but not in the form of a point
 */
export function parsePointPaths(path: string, prefix: string): readonly string[] | 'unclear' {
  const slashed = path.endsWith('/') ? path : `${path}/`
  const at = slashed.indexOf(prefix)
  if (at === -1) return []
  return at === slashed.length - prefix.length && /^\/[\w.~!&'()+,;=:@%/-]*$/.test(slashed)
    ? [slashed]
    : 'unclear'
}

/** The same for a regular expression; before the prefix it may have plain text and alternatives of plain text. */
export function parsePatternPaths(pattern: string, prefix: string): readonly string[] | 'unclear' {
  const plain = pattern.replace(/\\([/.-])/g, '$1')
  const segment = prefix.slice(1, -1)
  const at = plain.indexOf(segment)
  if (at === -1) return []
  const tail = plain.slice(at + segment.length)
  const heads = /^(?:[/($?]|$)/.test(tail) ? expand(plain.slice(0, at).replace(/^\^/, '')) : undefined
  if (heads === undefined) return 'unclear'
  const rooted = heads.map((head) => (head.startsWith('/') ? head : `/${head}`))
  const paths = [...new Set(rooted)].map((head) => parsePointPaths(`${head}${segment}/`, prefix))
  return paths.every((each) => Array.isArray(each) && each.length > 0) ? paths.flat() : 'unclear'
}

/** All texts that match the start of a pattern, if it consists of plain characters and alternatives. */
function expand(pattern: string): readonly string[] | undefined {
  let texts: readonly string[] = ['']
  let rest = pattern
  while (rest !== '') {
    const [whole, group, plain, optional] = PIECE.exec(rest) ?? []
    if (whole === undefined) return undefined
    const choices = [...(group?.split('|') ?? [plain ?? '']), ...(optional === '?' ? [''] : [])]
    texts = texts.flatMap((text) => choices.map((choice) => text + choice))
    if (texts.length > MOST_TEXTS) return undefined
    rest = rest.slice(whole.length)
  }
  return texts
}

const PIECE = /^(?:\((?:\?:|\?<\w+>)?([\w~/|-]*)\)|([\w~/-]))(\??)(?![*+{])/
const MOST_TEXTS = 64
