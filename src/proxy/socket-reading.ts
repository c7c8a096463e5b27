import type { Socket } from 'node:net'
import { nextTick } from 'node:process'

/**
 * Stops and starts reading from a client's socket.
 *
 * Node's HTTP server resumes the socket by itself: after every message, and whenever somebody reads from a request. So
 * each `resume` is answered with a `pause` for as long as reading is held.
 *
 * The first pause waits for the end of the turn. A `resume` event comes a tick after its `resume()`, and starts reading
 * whatever was called since: a pause in between would be lost, and a second one is no change and does nothing.
 */
export class SocketReading {
  readonly #socket: Socket
  #state: 'open' | 'held' = 'open'
  #isPauseDue = false

  constructor(socket: Socket) {
    this.#socket = socket
  }

  hold(): void {
    if (this.#state === 'held') return
    this.#state = 'held'
    this.#socket.on('resume', this.#onResume)
    if (this.#isPauseDue) return
    this.#isPauseDue = true
    nextTick(() => {
      this.#isPauseDue = false
      this.#onResume()
    })
  }

  release(): void {
    if (this.#state === 'open') return
    this.#state = 'open'
    this.#socket.off('resume', this.#onResume)
    this.#socket.resume()
  }

  readonly #onResume = (): void => {
    if (this.#state === 'held') this.#socket.pause()
  }
}
