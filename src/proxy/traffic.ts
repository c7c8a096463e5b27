import type { ServerResponse } from 'node:http'
import type { FailureKind } from '../forward/failure.ts'
import { Stalls } from './stalls.ts'

/** The exchanges in flight, for admission and for draining. */
export class Traffic {
  inFlight = 0
  /** Those of them whose request is still arriving. */
  uploads = 0
  /** Those of them that are the last on their connection to the service. */
  last = 0
  /** Responses say `Connection: close` while draining. */
  state: 'open' | 'draining' = 'open'
  /** How many exchanges in flight there is memory for, by the last measurement; infinite if memory is not watched. */
  ceiling = Number.POSITIVE_INFINITY
  /** How many may be in flight for the number of client connections there may be. */
  clientShare = Number.POSITIVE_INFINITY
  readonly stalls = new Stalls()
  /** Those whose client may have left unseen. They give way first, and make no crowd of the others. */
  readonly unseen = new Stalls()
  /** What the heads of pipelined requests take that wait for their turn. */
  waitingBytes = 0
  /** Responses whose client waits for 100 Continue. Without a listener for `checkContinue` Node sends it by itself. */
  readonly awaitContinue = new WeakSet<ServerResponse>()

  /**
   * Takes a place among the exchanges in flight, to be given back by `leave`. Those whose request is still arriving get at
   * most three quarters of the places, so that slow uploads never shut out a request that is complete. Those that use up a
   * connection each get a sixteenth, which by default is half as many as there are connections.
   *
   * @returns why there is none
   */
  take(stage: Stage, limit: number): FailureKind | undefined {
    let obstacle = this.#obstacle(stage, limit)
    // These have a share of their own.
    const places = Math.min(limit, this.clientShare, this.ceiling) - this.uploads - this.last
    const mayFree = obstacle !== undefined && stage === 'complete'
    if (mayFree && (this.unseen.freePlace(places) || this.stalls.freePlace(places)))
      obstacle = this.#obstacle(stage, limit)
    if (obstacle !== undefined) return obstacle
    this.inFlight += 1
    this.#count(stage, 1)
    return undefined
  }

  leave(stage: Stage): void {
    this.inFlight -= 1
    this.#count(stage, -1)
  }

  #count(stage: Stage, by: 1 | -1): void {
    if (stage === 'uploading') this.uploads += by
    if (stage === 'last') this.last += by
  }

  #obstacle(stage: Stage, limit: number): FailureKind | undefined {
    const isFull = (room: number) =>
      this.inFlight >= room ||
      (stage === 'uploading' && this.uploads >= Math.max(1, Math.floor((room * 3) / 4))) ||
      (stage === 'last' && this.last >= Math.max(1, Math.floor(room / 16)))
    if (isFull(Math.min(limit, this.clientShare))) return 'overloaded'
    return isFull(this.ceiling) ? 'memory-short' : undefined
  }
}

/** Whether a request is still arriving. `last`: on its connection to the service, whether it has arrived or not. */
export type Stage = 'uploading' | 'last' | 'complete'
