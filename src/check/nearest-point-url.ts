/**
 * The URL that a shown text was most likely meant to be: its host and cookie path, the prefix once at the end, and
 * nothing else. `undefined` when not even a host can be told.
 */
export function toNearestPointUrl(shown: string, prefix: string): string | undefined {
  const bare = shown
    .replace('…@', '')
    .replace(/[?#].*$/s, '')
    .replaceAll('\\', '/')
    .trim()
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(bare) ? bare : `https://${bare}`
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(text)
  // With or without its slash: a missing one is the usual slip.
  const start = pathname.indexOf(prefix.slice(0, -1))
  const cookiePath = start === -1 ? pathname : pathname.slice(0, start)
  return `${origin}${cookiePath.replace(/\/+$/, '')}${prefix}`
}
