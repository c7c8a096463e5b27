import type { ListenPlace } from '../serve/serve.ts'
import type { Refusal } from './command.ts'

export function refuseToListen({ listener, host, port, code }: ListenPlace, flag: string): Refusal {
  const what = `the ${listener} listener can't open ${host} port ${port}`
  return {
    message: explainListenFault(what, code, flag),
    outcome: PASSING.has(code) ? 'inconclusive' : 'usage',
  }
}

/** The same for a port on loopback; throws what is no fault of the port. */
export function refusePort(error: unknown, place: string, flag: string): Refusal {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error
  return { message: explainListenFault(place, String(error.code), flag) }
}

/** @param place what can't open which port, as a clause */
function explainListenFault(place: string, code: string, flag: string): string {
  const reasons: ReadonlyMap<string, string> = new Map([
    [
      'EADDRINUSE',
      `the port is in use. Stop the other program, or choose a port with ${flag} (0 picks a free one)`,
    ],
    ['EACCES', `not permitted. Choose a port above 1023 with ${flag}, or grant the permission`],
    [
      'EADDRNOTAVAIL',
      'this machine has no such address at the moment. Wait until it is up, or use 127.0.0.1, 0.0.0.0 or ::',
    ],
    ['ENOTFOUND', 'there is no such address. Use 127.0.0.1, 0.0.0.0 or ::'],
  ])
  const reason = reasons.get(code)
  return reason === undefined ? `${place} (${code})` : `${place}: ${reason}`
}

/** Conditions that may be temporary, without a change of the config: an interface may get its address after we start. */
const PASSING: ReadonlySet<string> = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL'])
