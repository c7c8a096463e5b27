/**
 * Caches the results of `judge` for texts that recur, such as field names. The cache is cleared when it holds 512 texts,
 * so a client can't make it grow by sending new ones.
 */
export function remember<T extends string | object>(judge: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>()
  return (word) => {
    const seen = known.get(word)
    if (seen !== undefined) return seen
    const judged = judge(word)
    if (word.length > LONGEST_WORD) return judged
    if (known.size >= MOST_WORDS) known.clear()
    known.set(word, judged)
    return judged
  }
}

const MOST_WORDS = 512
const LONGEST_WORD = 64
