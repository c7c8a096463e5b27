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
  /** How many may be in flight for the number of client connections there may be. */
  clientShare = Number.POSITIVE_INFINITY
  readonly stalls = new Stalls()
  /** Responses whose client waits for 100 Continue. Without a listener for `checkContinue` Node sends it by itself. */
  readonly awaitContinue = new WeakSet<ServerResponse>()

  /**
   * Takes a place among the exchanges in flight, to be given back by `leave`. Those whose request is still arriving get at
   * most three quarters of the places, so that slow uploads never shut out a request that is complete.
   *
   * @param others those that wait: refuses one that may use up a connection, and returns whether it did
   * @returns why there is none
   */
  take(stage: Stage, limit: number, others?: { displace(): boolean }): FailureKind | undefined {
    let obstacle = this.#obstacle(stage, limit)
    const room = Math.min(limit, this.clientShare, this.ceiling)
    const wouldFree = this.inFlight <= room && this.#hasShare(stage, room)
    if (obstacle !== undefined && wouldFree && others?.displace()) obstacle = this.#obstacle(stage, limit)
    // Uploads have a share of their own.
    const places = room - this.uploads
    const mayFree = obstacle !== undefined && stage === 'complete'
    if (mayFree && this.stalls.freePlace(places)) obstacle = this.#obstacle(stage, limit)
    if (obstacle !== undefined) return obstacle
    this.inFlight += 1
    if (stage === 'uploading') this.uploads += 1
    return undefined
  }

  leave(stage: Stage): void {
    this.inFlight -= 1
    if (stage === 'uploading') this.uploads -= 1
  }

  #obstacle(stage: Stage, limit: number): FailureKind | undefined {
    const isFull = (room: number) => this.inFlight >= room || !this.#hasShare(stage, room)
    if (isFull(Math.min(limit, this.clientShare))) return 'overloaded'
    return isFull(this.ceiling) ? 'memory-short' : undefined
  }

  #hasShare(stage: Stage, room: number): boolean {
    return stage === 'complete' || this.uploads < Math.max(1, Math.floor((room * 3) / 4))
  }
}

/** Whether a request is still arriving. */
export type Stage = 'uploading' | 'complete'
