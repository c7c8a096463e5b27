import { type Authority, parseAuthority } from '../http/authority.ts'

/**
 * The authorities that the stand-in answers to: the loopback names and its listen address, each with the port, and those
 * that were added. A host that was added without a port is accepted without one and with the stand-in's.
 */
export function ownAuthorities(
  listenHost: string,
  port: number,
  added: readonly Authority[],
): readonly string[] {
  const own = [...LOOPBACK, urlHost(listenHost)].filter((host) => !WILDCARDS.has(host))
  const authorities = [
    ...own.map((host) => ({ host, port })),
    ...added.flatMap((each) => (each.port === undefined ? [each, { ...each, port }] : [each])),
  ]
  return [...new Set(authorities.map(formatAuthority))]
}

/**
 * Parses a further authority to answer to.
 *
 * @throws TypeError if the text is not `HOST[:PORT]`
 */
export function parseAddedAuthority(text: string): Authority {
  const authority = parseAuthority(text)
  if (authority === undefined) throw new TypeError(`"${text}" is not HOST or HOST:PORT`)
  return authority
}

/** Whether there is exactly one Host line with one of these authorities, ignoring case. */
export function isOwnAuthority(hosts: readonly string[], authorities: readonly string[]): boolean {
  const [host, ...more] = hosts
  if (host === undefined || more.length > 0) return false
  const authority = parseAuthority(host)
  return authority !== undefined && authorities.includes(formatAuthority(authority))
}

/** The URL of a stand-in that listens there, for the same machine. */
export function ownUrl(listenHost: string, port: number): string {
  const host = urlHost(listenHost)
  return `http://${WILDCARDS.has(host) ? '127.0.0.1' : host}:${port}`
}

/** Omits port 80, the default of http, as the other side of the comparison does. */
function formatAuthority({ host, port }: Authority): string {
  return port === undefined || port === 80 ? host : `${host}:${port}`
}

/** An address as in a URL: lower case, an IPv6 address in brackets. */
function urlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host.toLowerCase()}]` : host.toLowerCase()
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]'])
