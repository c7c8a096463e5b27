import type { Connection } from '../../probe/probe.ts'
import type { Reach } from './live-fact.ts'

/** The first address that accepted. */
export function openAddress({ attempts }: Reach): string | undefined {
  return attempts.find(({ connection }) => connection.kind === 'open')?.address
}

/** Whether nothing at any address would keep a browser out, as far as could be told. */
export function isOpenToBrowsers(reach: Reach): boolean {
  const isBadlyCertified = reach.attempts.some(
    ({ connection }) =>
      isTlsFault(connection) || (connection.kind === 'open' && connection.certificate?.fault !== undefined),
  )
  return openAddress(reach) !== undefined && findRefusals(reach).length === 0 && !isBadlyCertified
}

/**
 * The addresses that refuse. The two addresses of a loopback name are one listener's two spellings: it is enough that
 * one accepts, or may.
 */
export function findRefusals({ resolution, attempts }: Reach): Reach['attempts'] {
  const isLoopback = resolution.kind === 'resolved' && resolution.by === 'loopback'
  const mayAccept = attempts.some(({ connection }) => accepts(connection) || isTimeout(connection))
  if (isLoopback && mayAccept) return []
  return attempts.filter(
    ({ connection }) => connection.kind === 'unconnected' && connection.cause === 'refused',
  )
}

/** Whether the address takes connections, whatever TLS makes of them. */
export function accepts(connection: Connection): boolean {
  return connection.kind === 'open' || isTlsFault(connection)
}

function isTlsFault(connection: Connection): boolean {
  return connection.kind === 'unconnected' && connection.cause === 'tls'
}

function isTimeout(connection: Connection): boolean {
  return connection.kind === 'unconnected' && connection.cause === 'timeout'
}
