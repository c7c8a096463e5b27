import type { Allowance, Holder } from './allowance.ts'
import { type Ticket, WaitingList } from './waiting-list.ts'
import { Wear } from './wear.ts'

/** What `Connections` needs to know about a connection. */
export interface Link {
  /** Starts closing; `Connections.closed` must be called once it is closed. */
  destroy(): void
}

/** Opens a connection and calls exactly one of the callbacks, asynchronously; `cancel` makes that happen soon. */
export type Dial<L extends Link> = (
  onOpen: (link: L) => void,
  onFailure: (error: Error) => void,
) => { cancel(): void }

/** A request gets no connection because the process stops or its config was replaced. */
export class ClosedError extends Error {
  readonly code = 'UND_ERR_CLOSED'
}

/** Another request got the place of this one, which waited for a connection that it may use up. */
class DisplacedError extends Error {
  readonly code = 'DISPLACED'
}

/**
 * The connections to one service, and the requests that wait for one.
 *
 * - There are never more connections than the allowance permits, whatever fails.
 * - A connection carries one request at a time, and is reused only after its request released it.
 * - Requests are served in order of arrival, from two queues: those whose body is still arriving may hold only part of
 *   the connections, so slow uploads never block complete requests. Those after which a connection may not be reused
 *   take turns with all others, and may have only part too. Connections that are opened in place of those that requests
 *   of a kind used up count as theirs.
 * - Connections are opened for the list, not for a request: the first in the queue gets the first free connection. A
 *   request that is aborted is removed from the list and leaves nothing behind.
 */
export class Connections<L extends Link> implements Holder {
  readonly #dial: Dial<L>
  readonly #allowance: Allowance
  readonly #list: WaitingList<L>
  /** With what the request on it, or its last one, counts for; `undefined` for one that leaves it reusable. */
  readonly #links = new Map<L, Wear | undefined>()
  readonly #uploads = new Wear()
  /** Of complete requests after which a connection may not be reused. */
  readonly #usingUp = new Wear()
  readonly #wear = [this.#usingUp, this.#uploads]
  /** Used last in, first out, so that surplus connections stay idle until they time out. */
  readonly #idle: L[] = []
  readonly #dials = new Set<{ cancel(): void }>()
  #connected = 0
  #state: 'open' | 'closing' | 'closed' = 'open'
  /** Whether it takes requests that were begun before it was closed. */
  #takesLate = false
  #isDestroyed = false
  readonly #onEmpty: (() => void)[] = []

  constructor(dial: Dial<L>, allowance: Allowance) {
    this.#dial = dial
    this.#allowance = allowance
    this.#list = new WaitingList(allowance.limit)
    allowance.join(this)
  }

  /** Adds a request to the list. `onConnection` may be called before this returns; `onDialFailure` is not. */
  join(ticket: Ticket<L>): void {
    this.#list.register(ticket)
    if (this.waiting === 0) for (const wear of this.#wear) wear.forget()
    if (this.#state !== 'open' && !this.#takesLate)
      return queueMicrotask(() => this.#fail(ticket, new ClosedError()))
    if (this.#state === 'closed') {
      this.#state = 'closing'
      this.#allowance.join(this)
    }
    const link = this.waiting === 0 && this.#mayStart(ticket) ? this.#idle.pop() : undefined
    if (link !== undefined) {
      this.#list.take(ticket)
      return this.#assign(ticket, link)
    }
    this.#list.add(ticket)
    this.#pump()
  }

  /** Another request needs a place: refuses one that may use up a connection, if most that wait are such ones. */
  displace(): boolean {
    const ticket = this.#list.displaceable
    if (ticket !== undefined) this.#fail(ticket, new DisplacedError())
    return ticket !== undefined
  }

  /** Removes a request from the list or from its connection; the connection is released or closed separately. */
  leave(ticket: Ticket<L>): void {
    if (ticket.state === 'over') return
    if (ticket.state === 'connected') this.#connected -= 1
    else this.#list.delete(ticket)
    ticket.state = 'over'
    if (ticket.isCountedUpload) {
      ticket.isCountedUpload = false
      this.#allowance.endUpload()
    }
    this.#checkEmpty()
  }

  complete(ticket: Ticket<L>): void {
    if (ticket.stage === 'complete') return
    ticket.stage = 'complete'
    if (ticket.isCountedUpload) {
      ticket.isCountedUpload = false
      this.#allowance.endUpload()
    }
    if (this.#list.complete(ticket)) this.#pump()
  }

  /**
   * A request's connection broke before a response came: it gets the next one, before all others. Idle connections are
   * as old as the one that broke, so none of them is tried.
   */
  rejoin(ticket: Ticket<L>): void {
    if (ticket.state !== 'connected') return
    this.#connected -= 1
    ticket.state = 'waiting'
    if (this.#isDestroyed) return this.#fail(ticket, new ClosedError())
    this.#list.addAgain(ticket)
    for (const link of this.#idle.splice(0)) link.destroy()
    this.#pump()
  }

  /** A connection that was opened, or whose request has ended, can be used for the next one. */
  release(link: L): void {
    if (!this.#links.has(link)) return
    this.#countFor(undefined, link)
    if (this.#allowance.excess > 0) {
      link.destroy()
      return this.#pump()
    }
    this.#idle.push(link)
    this.#pump()
    const isSpare = this.#state !== 'open' || this.#allowance.isNeededBeside(this)
    if (!isSpare || this.#idle.at(-1) !== link) return
    this.#idle.pop()
    link.destroy()
  }

  closed(link: L): void {
    if (!this.#links.has(link)) return
    this.#links.get(link)?.close()
    this.#countFor(undefined, link)
    this.#links.delete(link)
    const at = this.#idle.indexOf(link)
    if (at !== -1) this.#idle.splice(at, 1)
    this.#allowance.giveBack()
    this.#checkEmpty()
  }

  // The next three are for the allowance, see `Holder`.

  get isShort(): boolean {
    return this.lacking > 0
  }

  onVacancy(): void {
    for (let { excess } = this.#allowance; excess > 0 && this.yieldIdle(); excess -= 1);
    this.#pump()
  }

  yieldIdle(): boolean {
    const link = this.#idle.shift()
    link?.destroy()
    return link !== undefined
  }

  /** Lets the current requests end, and those that were begun before, and closes each connection that is not needed. */
  retire(): Promise<void> {
    this.#takesLate = true
    return this.#end()
  }

  /** Lets the current requests end, then closes every connection. It may be called repeatedly. */
  close(): Promise<void> {
    this.#takesLate = false
    return this.#end()
  }

  #end(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closing'
    if (this.waiting === 0) for (const link of this.#idle.splice(0)) link.destroy()
    return new Promise((resolve) => {
      this.#onEmpty.push(resolve)
      this.#checkEmpty()
    })
  }

  /** Closes every connection now; waiting requests fail. */
  destroy(): Promise<void> {
    this.#isDestroyed = true
    const done = this.close()
    for (const dial of this.#dials) dial.cancel()
    for (let next = this.#list.first(1, 1); next !== undefined; next = this.#list.first(1, 1))
      this.#fail(next, new ClosedError())
    for (const link of this.#links.keys()) link.destroy()
    return done
  }

  get waiting(): number {
    return this.#list.size
  }

  /** How many of them may have a connection, while none is being opened for them. */
  get lacking(): number {
    return Math.max(0, this.#eligible - this.#dials.size)
  }

  get waitingSinceMs(): number | undefined {
    return this.#list.waitingSinceMs
  }

  expectedWaitMs(mayUseUp: boolean): number {
    return this.#list.expectedWaitMs(mayUseUp)
  }

  /** Assigns idle connections to eligible requests, and opens as many as the others need and the allowance permits. */
  #pump(): void {
    while (this.#idle.length > 0) {
      const ticket = this.#first()
      if (ticket === undefined) break
      this.#list.grant(ticket)
      const link = this.#idle.pop()
      if (link !== undefined) this.#assign(ticket, link)
    }
    while (this.#dials.size < this.#eligible && this.#allowance.take(this)) this.#open()
  }

  #first(): Ticket<L> | undefined {
    return this.#list.first(this.#uploadVacancies, this.#usingUpVacancies)
  }

  get #eligible(): number {
    const usingUpVacancies = this.#usingUpVacancies + this.#usingUp.missing
    return this.#list.eligible(this.#allowance.uploadVacancies, Math.max(0, usingUpVacancies))
  }

  get #uploadVacancies(): number {
    return this.#allowance.uploadVacancies - this.#uploads.missing
  }

  get #usingUpVacancies(): number {
    const { held, missing } = this.#usingUp
    return this.#allowance.mostUsingUp(this.#uploads.missing) - held - missing
  }

  #mayStart(ticket: Ticket<L>): boolean {
    if (ticket.stage === 'uploading') return this.#uploadVacancies > 0
    return !ticket.mayUseUp || this.#usingUpVacancies > 0
  }

  #assign(ticket: Ticket<L>, link: L): void {
    ticket.state = 'connected'
    this.#connected += 1
    if (ticket.mayUseUp) this.#countFor(ticket.stage === 'uploading' ? this.#uploads : this.#usingUp, link)
    if (ticket.stage === 'uploading' && !ticket.isCountedUpload) {
      ticket.isCountedUpload = true
      this.#allowance.beginUpload()
    }
    ticket.requester.onConnection(link)
  }

  #countFor(wear: Wear | undefined, link: L): void {
    const before = this.#links.get(link)
    if (before !== undefined) before.held -= 1
    if (wear !== undefined) wear.held += 1
    this.#links.set(link, wear)
  }

  #open(): void {
    const newest = this.#list.newest
    const replaced = this.#wear.find((wear) => wear.beginReplacing())
    const dial = this.#dial(
      (link) => {
        this.#dials.delete(dial)
        replaced?.endReplacing()
        this.#links.set(link, undefined)
        if (this.#isDestroyed) link.destroy()
        else this.release(link)
      },
      (error) => {
        this.#dials.delete(dial)
        replaced?.endReplacing()
        // A request that came after the attempt began gets an attempt of its own.
        const ticket = this.#first()
        if (ticket !== undefined && ticket.arrival <= newest) this.#fail(ticket, error)
        this.#allowance.giveBack()
        this.#checkEmpty()
      },
    )
    this.#dials.add(dial)
  }

  #fail(ticket: Ticket<L>, error: Error): void {
    this.leave(ticket)
    ticket.requester.onDialFailure(error)
  }

  #checkEmpty(): void {
    if (this.#state === 'open' || this.waiting > 0 || this.#connected > 0) return
    for (const link of this.#idle.splice(0)) link.destroy()
    for (const dial of this.#dials) dial.cancel()
    if (this.#links.size > 0 || this.#dials.size > 0) return
    this.#state = 'closed'
    this.#allowance.leave(this)
    for (const resolve of this.#onEmpty.splice(0)) resolve()
  }
}
