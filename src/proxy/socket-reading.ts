import type { Socket } from 'node:net'

/**
 * Stops and starts reading from a client's socket.
 *
 * Node's HTTP server resumes the socket by itself: after every message, and whenever a request is read. So while reading
 * is held, every `resume` event is followed by a `pause`.
 *
 * The first pause waits for the end of the turn. A `resume` event comes a tick after `resume()` and then starts reading in
 * any case: a pause in between would be lost, and pausing again would do nothing, since the socket counts as paused.
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
    process.nextTick(() => {
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
