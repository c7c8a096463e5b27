/** An authority of a message: host in lower case, port as a number if there was one. */
export interface Authority {
  /** Lower case; an IPv6 literal keeps its brackets. */
  readonly host: string
  readonly port: number | undefined
}

/**
 * Parses `uri-host [ ":" port ]`, RFC 9110 section 7.2 and RFC 3986 section 3.2.
 * **Ours:** userinfo, an empty host and an IPvFuture literal are refused; an empty port counts as none.
 */
export function parseAuthority(text: string): Authority | undefined {
  const parts = AUTHORITY.exec(text)
  if (parts === null) return undefined
  const [, host = '', digits = ''] = parts
  const port = digits === '' ? undefined : Number(digits)
  if (port !== undefined && port > 65_535) return undefined
  return { host: host.toLowerCase(), port }
}

/** `host[:port]`, the port left out when it is the default of `scheme`. */
export function serialiseAuthority(authority: Authority, scheme: 'http' | 'https'): string {
  const { host, port } = authority
  return port === undefined || port === DEFAULT_PORT[scheme] ? host : `${host}:${port}`
}

export const DEFAULT_PORT = { http: 80, https: 443 } as const

// reg-name (RFC 3986 section 3.2.2: unreserved, sub-delims, percent-encoded) or an IPv6 literal, then an optional port.
const AUTHORITY =
  /^([A-Za-z0-9._~!$&'()*+,;=-]+|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{0,5}))?$/
