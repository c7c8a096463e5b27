import { type Authority, parseAuthority } from '../http/authority.ts'

/**
 * The authorities that the stand-in answers to: the loopback names and the address it listens on, each with its port,
 * and what was added. An added host without a port counts with the stand-in's port and with none.
 */
export function ownAuthorities(
  listenHost: string,
  port: number,
  added: readonly Authority[],
): readonly string[] {
  const own = [...LOOPBACK, urlHost(listenHost)].filter((host) => !WILDCARDS.has(host))
  const authorities = [
    ...own.map((host) => toText({ host, port })),
    ...added.flatMap((authority) => spellings(authority, port)),
  ]
  return [...new Set(authorities)]
}

/**
 * Reads an authority that the stand-in is to answer to.
 *
 * @throws TypeError when the text is no `HOST[:PORT]`
 */
export function parseAddedAuthority(text: string): Authority {
  const authority = parseAuthority(text)
  if (authority === undefined) throw new TypeError(`"${text}" is no HOST or HOST:PORT`)
  return authority
}

/** Whether the Host lines of a request name one of these authorities: exactly one line, host compared without case. */
export function isOwnAuthority(hosts: readonly string[], authorities: readonly string[]): boolean {
  const [host, ...more] = hosts
  if (host === undefined || more.length > 0) return false
  const authority = parseAuthority(host)
  return authority !== undefined && authorities.includes(toText(authority))
}

/** The URL under which a stand-in that listens there can be asked from the same machine. */
export function ownUrl(listenHost: string, port: number): string {
  const host = urlHost(listenHost)
  return `http://${WILDCARDS.has(host) ? '127.0.0.1' : host}:${port}`
}

function spellings(authority: Authority, port: number): readonly string[] {
  if (authority.port !== undefined) return [toText(authority)]
  return [toText(authority), toText({ ...authority, port })]
}

/** Port 80 is http's default and drops out, on both sides of the comparison. */
function toText({ host, port }: Authority): string {
  return port === undefined || port === 80 ? host : `${host}:${port}`
}

/** An address as it stands in a URL: lower case, an IPv6 address in brackets. */
function urlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host.toLowerCase()}]` : host.toLowerCase()
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '[::]'])
