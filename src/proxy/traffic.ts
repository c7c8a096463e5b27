import type { ServerResponse } from 'node:http'

/** The exchanges in flight, for admission and for draining. */
export interface Traffic {
  inFlight: number
  /** Responses say `Connection: close` while draining. */
  state: 'open' | 'draining'
  /** How many exchanges in flight there is memory for, by the last measurement; infinite if memory is not watched. */
  ceiling: number
  /** Responses whose client waits for 100 Continue. Without a listener for `checkContinue` Node sends it by itself. */
  readonly awaitContinue: WeakSet<ServerResponse>
}
