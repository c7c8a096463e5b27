import type { Connection } from '../../probe/probe.ts'
import type { Reach } from './live-fact.ts'

/** The first address that accepted a connection. */
export function openAddress({ attempts }: Reach): string | undefined {
  return attempts.find(({ connection }) => connection.kind === 'open')?.address
}

/** Whether a browser can connect at every address, as far as was observed. */
export function isOpenToBrowsers(reach: Reach): boolean {
  const isBadlyCertified = reach.attempts.some(({ connection }) =>
    connection.kind === 'open' ? connection.certificate?.fault !== undefined : connection.cause === 'tls',
  )
  return openAddress(reach) !== undefined && findRefusals(reach).length === 0 && !isBadlyCertified
}

/**
 * The addresses that refuse. Of the two addresses of a loopback name it is enough that one accepts, or timed out and so may
 * accept, since both lead to this machine.
 */
export function findRefusals({ resolution, attempts }: Reach): Reach['attempts'] {
  const isLoopback = resolution.kind === 'resolved' && resolution.by === 'loopback'
  const mayAccept = attempts.some(
    ({ connection }) => accepts(connection) || causeOf(connection) === 'timeout',
  )
  if (isLoopback && mayAccept) return []
  return attempts.filter(({ connection }) => causeOf(connection) === 'refused')
}

/** Whether the address accepts TCP connections, even if TLS fails. */
export function accepts(connection: Connection): boolean {
  return connection.kind === 'open' || connection.cause === 'tls'
}

function causeOf(connection: Connection): string | undefined {
  return connection.kind === 'open' ? undefined : connection.cause
}
