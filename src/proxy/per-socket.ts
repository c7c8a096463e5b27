import type { Socket } from 'node:net'

/**
 * One value for each socket, kept in a property of the socket.
 *
 * In a WeakMap, a value that refers to its socket would keep both from minor collections: these treat every value in an
 * old table as alive, with everything that it refers to. What a closed connection leaves behind would stay until a
 * major one.
 */
export class PerSocket<T extends object> {
  readonly #key = Symbol('per socket')

  of(socket: Socket): T | undefined {
    return Reflect.get(socket, this.#key)
  }

  set(socket: Socket, value: T): void {
    Reflect.set(socket, this.#key, value)
  }
}
