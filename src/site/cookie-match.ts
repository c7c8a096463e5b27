import { isIpHost } from '../http/host.ts'

/**
 * Domain-match: the host is the domain, or is a name that ends with it at a label boundary.
 * RFC 6265bis section 5.1.3. Both are canonical hosts; the domain has no leading dot.
 */
export function domainMatches(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && !isIpHost(host))
}

/**
 * Path-match: equal, or the cookie's path is a prefix that ends on a segment boundary (`/foo` matches `/foo/bar` and
 * not `/foobar`). RFC 6265bis section 5.1.4. Bytes are compared as they are: case counts, nothing is decoded.
 */
export function pathMatches(requestPath: string, cookiePath: string): boolean {
  if (!requestPath.startsWith(cookiePath)) return false
  const rest = requestPath.slice(cookiePath.length)
  return rest === '' || rest.startsWith('/') || cookiePath.endsWith('/')
}

/** All cookie paths that path-match the path of a request: itself, and its prefixes at a slash. */
export function toCookiePaths(path: string): readonly string[] {
  const paths = new Set([path])
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    paths.add(path.slice(0, at)).add(path.slice(0, at + 1))
  }
  return [...paths]
}
