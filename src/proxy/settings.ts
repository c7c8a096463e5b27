import { BlockList, type Socket } from 'node:net'
import { expandTrustedBlocks } from '../config/judge.ts'
import type { Peer } from '../forward/downstream.ts'
import { compileForwardRules } from '../forward/request.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { ipVersionOf } from '../http/host.ts'
import { remember } from '../http/remember.ts'
import { compilePoints } from '../points/match.ts'
import type { UpstreamSettings } from './dial.ts'

/** Everything that exchanges share; replaced as a whole when the config is reloaded. */
export type ExchangeSettings = ReturnType<typeof compileSettings>

/** Limit of exchanges in flight if neither the config nor the memory sets a lower one. */
export const MOST_EXCHANGES = 1024

/** Compiles a config into the settings of exchanges. */
export function compileSettings(resolved: ResolvedConfig) {
  const { config, service, points, serviceCa } = resolved
  const { timeouts, limits } = config
  const upstream: UpstreamSettings = {
    origin: new URL(service.url).origin,
    extraCa: serviceCa?.reveal(),
    connectTimeoutMs: timeouts.connectMs,
    connectionAgeMs: timeouts.connectionAgeMs,
  }
  return {
    points: compilePoints(points, service.prefix),
    rules: compileForwardRules(config, service.url),
    upstream,
    leases: limits.upstreamConnections,
    peerOf: compilePeers(config.listen.trustedProxies),
    connectTimeoutMs: timeouts.connectMs,
    headersTimeoutMs: timeouts.headersMs,
    idleTimeoutMs: timeouts.idleMs,
    bodyLimitBytes: limits.bodyBytes,
    concurrencyLimit: limits.concurrentRequests === 'auto' ? MOST_EXCHANGES : limits.concurrentRequests,
  }
}

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
