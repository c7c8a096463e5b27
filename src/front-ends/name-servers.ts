/**
 * Parses the name servers of a resolv.conf (resolv.conf(5)), IPv6 in brackets. An address with a zone is omitted: no front
 * end accepts it. If there are none, returns the address of systemd-resolved.
 */
export function parseNameServers(resolvConf: string): readonly string[] {
  const addresses = [...resolvConf.matchAll(/^\s*nameserver\s+([0-9A-Fa-f:.]+)\s*$/gm)].map(
    ([, address = '']) => (address.includes(':') ? `[${address}]` : address),
  )
  return addresses.length === 0 ? ['127.0.0.53'] : addresses
}
