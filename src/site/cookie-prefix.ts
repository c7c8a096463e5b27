/** What a prefix of a cookie's name requires. Browsers drop a cookie that doesn't comply. */
interface NamePrefix {
  /** As the specification spells it. */
  readonly text: '__Secure-' | '__Host-' | '__Http-' | '__Host-Http-'
  /** Host-only and `Path=/`. */
  readonly bindsHost: boolean
  /** HttpOnly, so that only a server can set it. */
  readonly bindsHttp: boolean
}

/**
 * Finds the prefix of a cookie's name, ignoring case. All of them require Secure.
 *
 * RFC 6265bis section 5.4 (user agents compare without case, since servers may) and 4.1.3.1, 4.1.3.2 for `__Secure-`
 * and `__Host-`; draft-ietf-httpbis-layered-cookies for `__Http-` and `__Host-Http-`.
 */
export function findNamePrefix(name: string): NamePrefix | undefined {
  const lower = name.toLowerCase()
  return prefixes.find((prefix) => lower.startsWith(prefix.text.toLowerCase()))
}

// The longer one first: `__Host-Http-` begins with `__Host-`.
const prefixes: readonly NamePrefix[] = [
  { text: '__Host-Http-', bindsHost: true, bindsHttp: true },
  { text: '__Host-', bindsHost: true, bindsHttp: false },
  { text: '__Http-', bindsHost: false, bindsHttp: true },
  { text: '__Secure-', bindsHost: false, bindsHttp: false },
]
