/** Whether the parts stand in the whole, in their order, with anything before, between and after them. */
export function isSubsequence(parts: readonly string[], whole: readonly string[]): boolean {
  let found = 0
  for (const each of whole) if (each === parts[found]) found += 1
  return found === parts.length
}
