import type { Socket } from 'node:net'

/** The socket that a server accepted, under the one that TLS made of it. */
export function acceptedUnder(socket: Socket): Socket {
  return Reflect.get(socket, '_parent') ?? socket
}
