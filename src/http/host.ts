/**
 * Brings a host to the one form that browsers compare: lower case, A-labels, IPv4 as four decimals, IPv6 compressed
 * and in brackets. A trailing dot stays, since `example.com.` is another host.
 *
 * URL Standard section 3.5 (host parsing); RFC 6265bis section 5.1.2 (canonicalized host names).
 *
 * **Ours:** stricter than the URL Standard: after canonicalisation a name consists of letters, digits, `-`, `_` and
 * dots (the standard lets `a,b` and `*` through), its labels are 1 to 63 octets and the whole at most 253, because
 * DNS carries no other name.
 *
 * @returns `undefined` when the text is no host
 */
export function toCanonicalHost(text: string): string | undefined {
  if (!/^(?:\[[\d.:a-f]+\]|[^\u0000-\u0020\u007f/?#@:%\\[\]]+)$/i.test(text)) return undefined
  const url = `http://${text}`
  if (!URL.canParse(url)) return undefined
  const host = new URL(url).hostname
  return isIpHost(host) || isDnsName(host) ? host : undefined
}

/** Tells an IP literal, of a canonical host. A canonical host that ends in a number is an IPv4 address. */
export function isIpHost(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
}

/**
 * Tells a canonical host that never leaves the machine: `localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`.
 * RFC 6761 section 6.3; Secure Contexts section 3.1 makes these origins potentially trustworthy over http.
 */
export function isLoopbackHost(host: string): boolean {
  const name = withoutTrailingDot(host)
  return (
    name === 'localhost' || name.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)
  )
}

/** Tells a name of one label (`intranet`), of a canonical host. */
export function isSingleLabelHost(host: string): boolean {
  return !isIpHost(host) && !withoutTrailingDot(host).includes('.')
}

/** `example.com` for `example.com.`; every other host as it is. */
export function withoutTrailingDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}

function isDnsName(host: string): boolean {
  const name = withoutTrailingDot(host)
  return name.length <= 253 && /^[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/.test(name)
}
