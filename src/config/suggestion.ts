import { closestMatch } from 'leven'

/**
 * The valid word that a misspelt one most likely stands for, or `undefined`: two swapped letters or a third of a long word
 * may differ; case is ignored.
 */
export function suggest(word: string, legal: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined
  const lower = new Map(legal.map((each) => [each.toLowerCase(), each]))
  const maxDistance = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))
  const nearest = closestMatch(word.toLowerCase(), [...lower.keys()], { maxDistance })
  return nearest === undefined ? undefined : lower.get(nearest)
}

/** `, did you mean WORD?`, or `otherwise` if no word is close enough. */
export function didYouMean(word: string, legal: readonly string[], otherwise = ''): string {
  const suggestion = suggest(word, legal)
  return suggestion === undefined ? otherwise : `, did you mean ${suggestion}?`
}

const longestWord = 64
