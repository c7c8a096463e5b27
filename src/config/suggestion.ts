/**
 * The valid word that a misspelt one most likely stands for, or `undefined`: two swapped letters or a third of a long word
 * may differ; case is ignored. The end of a name with a slash counts as the whole.
 */
export function suggest(word: string, legal: readonly string[]): string | undefined {
  if (word.length > LONGEST_WORD) return undefined
  const whole = legal.find((each) => each.toLowerCase().endsWith(`/${word.toLowerCase()}`))
  if (whole !== undefined && word !== '') return whole
  const most = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))
  let nearest: string | undefined
  let fewest = most + 1
  for (const each of legal) {
    if (Math.abs(each.length - word.length) >= fewest) continue
    const edits = countEdits(word.toLowerCase(), each.toLowerCase())
    if (edits < fewest) [nearest, fewest] = [each, edits]
  }
  return nearest
}

/** `, did you mean WORD?`, or `otherwise` if no word is close enough. */
export function didYouMean(word: string, legal: readonly string[], otherwise = ''): string {
  const suggestion = suggest(word, legal)
  return suggestion === undefined ? otherwise : `, did you mean ${suggestion}?`
}

/** The Levenshtein distance: the fewest letters that have to be added, removed or replaced. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 0; at < from.length; at += 1) {
    const next = [at + 1]
    for (let of = 0; of < to.length; of += 1) {
      const replaced = (row[of] ?? 0) + (from[at] === to[of] ? 0 : 1)
      next.push(Math.min(replaced, (row[of + 1] ?? 0) + 1, (next[of] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

const LONGEST_WORD = 64
