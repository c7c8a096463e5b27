import type { ServerResponse } from 'node:http'
import type { FailureKind } from '../forward/failure.ts'
import { Stalls } from './stalls.ts'

/** The exchanges in flight, for admission and for draining. */
export class Traffic {
  inFlight = 0
  /** Those of them whose request is still arriving. */
  uploads = 0
  /** Responses say `Connection: close` while draining. */
  state: 'open' | 'draining' = 'open'
  /** How many exchanges in flight there is memory for, by the last measurement; infinite if memory is not watched. */
  ceiling = Number.POSITIVE_INFINITY
  readonly stalls = new Stalls()
  /** What the heads of pipelined requests take that wait for their turn. */
  waitingBytes = 0
  /** Responses whose client waits for 100 Continue. Without a listener for `checkContinue` Node sends it by itself. */
  readonly awaitContinue = new WeakSet<ServerResponse>()

  /**
   * Why there is no room for another exchange. Those whose request is still arriving get at most three quarters of the
   * room, so that slow uploads never shut out a request that is complete.
   */
  obstacle(stage: 'uploading' | 'complete', limit: number): FailureKind | undefined {
    const isFull = (room: number) =>
      this.inFlight >= room ||
      (stage === 'uploading' && this.uploads >= Math.max(1, Math.floor((room * 3) / 4)))
    if (isFull(limit)) return 'overloaded'
    return isFull(this.ceiling) ? 'memory-short' : undefined
  }
}
