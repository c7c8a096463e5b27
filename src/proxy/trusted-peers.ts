import { BlockList, type Socket } from 'node:net'
import { expandTrustedBlocks } from '../config/judge.ts'
import type { Peer } from '../forward/downstream.ts'
import { ipVersionOf } from '../http/host.ts'
import { remember } from '../http/remember.ts'

/**
 * Compiles `listen.trustedProxies` (`loopback`, `private`, addresses and CIDR blocks) into a lookup by socket.
 * The same few addresses connect again and again, so each is looked up once.
 */
export function compilePeers(trustedProxies: readonly string[]): (socket: Socket) => Peer {
  const trusted = new BlockList()
  for (const entry of expandTrustedBlocks(trustedProxies)) {
    const [address = '', bits] = entry.split('/')
    const family = ipVersionOf(address) === 6 ? 'ipv6' : 'ipv4'
    trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  const peerAt = remember((received): Peer => {
    const address = received.replace(/^::ffff:(?=\d+\.)/i, '')
    const version = ipVersionOf(address)
    return {
      address,
      isTrusted: version !== undefined && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4'),
    }
  })
  return (socket) => peerAt(socket.remoteAddress ?? '')
}
