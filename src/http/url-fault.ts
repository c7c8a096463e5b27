import { isNetworkHost } from './host.ts'
import { findDotSegment, parseUrl } from './url.ts'

/**
 * Why a text that a person wrote is not an absolute http or https URL, as a clause. The raw text is checked too, because the
 * WHATWG parser silently repairs errors (backslashes, tabs, a missing slash), and hosts must be names that DNS can have.
 */
export function findUrlFault(text: string): string | undefined {
  if (text.length > 8_192) return 'it is longer than 8192 characters'
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return 'it contains white space, a control character or a backslash'
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? []
  if (authority === undefined) return 'it is not an absolute http or https URL'
  if (authority.includes('@')) return 'it has credentials'
  if (authority.startsWith('*') || authority.includes('.*'))
    return 'it has a wildcard, and each host needs a URL of its own'
  const url = authority === '' ? undefined : parseUrl(text)
  if (url === undefined) return 'its host or port is not valid'
  if (!isNetworkHost(url.hostname))
    return 'its host is not a name that DNS allows: letters, digits, "-" and "_", at most 63 between dots'
  return url.port === '0' ? 'port 0 accepts no connections' : undefined
}

/** The same for a URL without query, fragment and dot segments: an origin, and a path to which more is appended. */
export function findBaseUrlFault(text: string): string | undefined {
  const fault = findUrlFault(text)
  if (fault !== undefined) return fault
  const [, path = '', query, fragment] = /^https?:\/\/[^/?#]*([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(text) ?? []
  if (query !== undefined) return 'it has a query'
  if (fragment !== undefined) return 'it has a fragment'
  return findDotSegment(path) === undefined ? undefined : 'its path contains a dot segment'
}
