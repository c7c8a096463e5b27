import { parseUrl } from './url.ts'

/**
 * Converts a host to the canonical form that browsers compare: lower case, A-labels, IPv4 as four decimals, IPv6
 * compressed and in brackets. A trailing dot is kept, since `example.com.` is another host.
 *
 * URL Standard section 3.5 (host parsing); RFC 6265bis section 5.1.2 (canonicalized host names).
 *
 * **Ours:** stricter than the URL Standard: after canonicalisation a name consists of letters, digits, `-`, `_` and
 * dots (the standard permits `a,b` and `*`), with labels of 1 to 63 octets and at most 253 in all, as in DNS.
 *
 * @returns `undefined` when the text is not a host
 */
export function toCanonicalHost(text: string): string | undefined {
  if (!/^(?:\[[\d.:a-f]+\]|[^\u0000-\u0020\u007f/?#@:%\\[\]]+)$/i.test(text)) return undefined
  const host = parseUrl(`http://${text}`)?.hostname
  return host !== undefined && isNetworkHost(host) ? host : undefined
}

/** Whether a canonical host is an IP literal, or a name that DNS can have. */
export function isNetworkHost(host: string): boolean {
  return isIpHost(host) || isDnsName(host)
}

/** Whether a canonical host is an IP literal. A canonical host that ends in a number is an IPv4 address. */
export function isIpHost(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
}

/**
 * Whether a canonical host is loopback: `localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`.
 * RFC 6761 section 6.3; Secure Contexts section 3.1 makes these origins potentially trustworthy over http.
 */
export function isLoopbackHost(host: string): boolean {
  const name = withoutTrailingDot(host)
  return (
    name === 'localhost' || name.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)
  )
}

/** Whether what is sent there can't be read on the way: by https, or to this machine. */
export function isProtected({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopbackHost(hostname)
}

/** Why a URL must not be used for `what`, as a clause to follow the URL's name; `undefined` if it is protected. */
export function findPlainHttp(url: URL, what: string): string | undefined {
  if (isProtected(url)) return undefined
  return `plain http on a host that is not loopback: ${what} would cross the network in the clear`
}

/** Whether a canonical host is a name of one label (`intranet`). */
export function isSingleLabelHost(host: string): boolean {
  return !isIpHost(host) && !withoutTrailingDot(host).includes('.')
}

/** `example.com` for `example.com.`; any other host unchanged. */
export function withoutTrailingDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}

function isDnsName(host: string): boolean {
  const name = withoutTrailingDot(host)
  return name.length <= 253 && /^[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63})*$/.test(name)
}

/**
 * The version of an IP address in text form: four decimals without leading zeros, or RFC 4291 section 2.2 with an RFC
 * 4007 zone after `%`. Same results as Node's `isIP`, for runtimes that don't have it.
 */
export function ipVersionOf(text: string): 4 | 6 | undefined {
  if (IPV4.test(text)) return 4
  const address = text.replace(/%[0-9A-Za-z.:-]+$/, '')
  return /^[0-9A-Fa-f:.]+$/.test(address) && parseUrl(`http://[${address}]/`) !== undefined ? 6 : undefined
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
