import { type Authority, parseAuthority, serialiseAuthority } from '../../http/authority.ts'

/**
 * The authorities that the stand-in answers to: the loopback names with its port, and those that were added, each
 * `HOST[:PORT]`. A host that was added without a port is accepted without one and with the stand-in's.
 *
 * @throws TypeError if one of them is not `HOST[:PORT]`
 */
export function ownAuthorities(port: number, added: readonly string[]): readonly string[] {
  const authorities = [
    ...['localhost', '127.0.0.1', '[::1]'].map((host) => ({ host, port })),
    ...added
      .map(parseAddedAuthority)
      .flatMap((each) => (each.port === undefined ? [each, { ...each, port }] : [each])),
  ]
  return [...new Set(authorities.map((each) => serialiseAuthority(each, 'http')))]
}

/** Whether there is exactly one Host line with one of these authorities, ignoring case. */
export function isOwnAuthority(hosts: readonly string[], authorities: readonly string[]): boolean {
  const [host, ...more] = hosts
  if (host === undefined || more.length > 0) return false
  const authority = parseAuthority(host)
  return authority !== undefined && authorities.includes(serialiseAuthority(authority, 'http'))
}

function parseAddedAuthority(text: string): Authority {
  const authority = parseAuthority(text)
  if (authority === undefined) throw new TypeError(`"${text}" is not HOST or HOST:PORT`)
  return authority
}
