import { BlockList, isIPv6 } from 'node:net'
import type { NetworkPolicyEgressRule } from 'kubernetes-types/networking/v1.js'

/** Whether a rule of a network policy lets pods reach an address by its blocks. */
export function isReached(address: string, rule: NetworkPolicyEgressRule | undefined): boolean {
  const blocks = rule?.to?.flatMap(({ ipBlock }) => ipBlock ?? []) ?? []
  return blocks.some(({ cidr, except = [] }) => isWithin(address, [cidr]) && !isWithin(address, except))
}

function isWithin(address: string, blocks: readonly string[]): boolean {
  const list = new BlockList()
  // To a BlockList an IPv4 address is also within ::/0.
  for (const block of blocks.filter((each) => each.includes(':') === isIPv6(address))) {
    const [network = '', prefix = ''] = block.split('/')
    list.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4')
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
