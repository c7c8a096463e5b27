import { parseUrl } from './parse-url.ts'

/**
 * A URL as messages, reports and logs show it: credentials, query and fragment are replaced by an ellipsis, since people
 * paste keys there. Takes any text. Where it does not parse, or an `@` is in doubt, what may be a secret is left out.
 */
export function redactUrl(text: string): string {
  const [, scheme = '', rest = ''] = /^(https?:[\\/]*)?(.*)$/is.exec(text) ?? []
  const [head = ''] = rest.split(/[?#]/, 1)
  const tail = rest.slice(head.length)
  // A password may contain a question mark: https://user:se?cret@host
  if (tail.includes('@')) return `${scheme}…`
  const isPlain = !head.includes('@') || (parseUrl(text) !== undefined && !/[^\\/]@/.test(head))
  const bare = isPlain ? head : `…${head.slice(head.lastIndexOf('@'))}`
  return scheme + bare + (tail.length > 1 ? `${tail[0]}…` : tail)
}
