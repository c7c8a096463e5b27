import { BlockList, type Socket } from 'node:net'
import type { Peer } from '../forward/peer.ts'
import { ipVersionOf } from '../http/ip-version.ts'

/**
 * Compiles `listen.trustedProxies` (`loopback`, `private`, addresses and CIDR blocks) into a lookup by socket.
 * A socket's peer never changes, so it is judged once.
 */
export function compilePeers(trustedProxies: readonly string[]): (socket: Socket) => Peer {
  const trusted = new BlockList()
  for (const entry of trustedProxies.flatMap((name) => NAMED_BLOCKS[name] ?? [name])) {
    const [address = '', bits] = entry.split('/')
    const family = ipVersionOf(address) === 6 ? 'ipv6' : 'ipv4'
    trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  const known = new WeakMap<Socket, Peer>()
  return (socket) => {
    const seen = known.get(socket)
    if (seen !== undefined) return seen
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
    const version = ipVersionOf(address)
    const peer = {
      address,
      isTrusted: version !== undefined && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4'),
    }
    known.set(socket, peer)
    return peer
  }
}

const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** RFC 1918, RFC 4193 and loopback. */
const NAMED_BLOCKS: Readonly<Record<string, readonly string[]>> = {
  loopback: LOOPBACK,
  private: [...LOOPBACK, '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}
