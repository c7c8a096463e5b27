import { toNearestUrl } from './nearest-url.ts'

/**
 * The URL that a shown text was most likely meant to be: its host and cookie path, the prefix once at the end, and
 * nothing else. `undefined` when not even a host can be told.
 */
export function toNearestPointUrl(shown: string, prefix: string): string | undefined {
  const url = toNearestUrl(shown)
  if (url === undefined) return undefined
  const { origin, pathname } = url
  // With or without its slash: a missing one is the usual slip.
  const start = pathname.indexOf(prefix.slice(0, -1))
  const cookiePath = start === -1 ? pathname : pathname.slice(0, start)
  return `${origin}${cookiePath.replace(/\/+$/, '')}${prefix}`
}
