/**
 * Reads the name servers of a resolv.conf (resolv.conf(5)), IPv6 in brackets. An address with a zone is left out: no
 * front end takes it. Without any, the address where systemd-resolved listens.
 */
export function parseNameServers(resolvConf: string): readonly string[] {
  const addresses = [...resolvConf.matchAll(/^\s*nameserver\s+([0-9A-Fa-f:.]+)\s*$/gm)].map(
    ([, address = '']) => (address.includes(':') ? `[${address}]` : address),
  )
  return addresses.length === 0 ? ['127.0.0.53'] : addresses
}
