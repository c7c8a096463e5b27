import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { takeMessage, type WireMessage } from './wire.ts'

/** How the other end closed a connection. */
export type Ending = 'open' | 'end' | 'reset'

/** A client that writes and reads raw octets. */
export interface RawClient {
  readonly socket: Socket
  /** Everything received and not yet read, latin1. */
  readonly pending: () => string
  write(octets: string | Buffer): void
  /** The next complete response; rejects if the connection ends before it is complete. */
  response(method?: string): Promise<WireMessage>
  /** Waits until the pending octets contain `text`. */
  received(text: string): Promise<void>
  /** Resolves once the other end has closed the connection, with how it did. */
  ended(): Promise<Ending>
  close(): void
}

export interface ClientTls {
  readonly ca: string
  readonly servername: string
  /** An address other than 127.0.0.1. */
  readonly host?: string
}

/** Opens a connection to a port on loopback. */
export async function openClient(port: number, tls?: ClientTls): Promise<RawClient> {
  const socket =
    tls === undefined
      ? connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      : connectTls({ port, host: '127.0.0.1', ...tls })
  let pending = ''
  let ending: Ending = 'open'
  const watchers = new Set<() => void>()
  const notify = () => {
    for (const watcher of [...watchers]) watcher()
  }
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1')
    notify()
  })
  socket.on('end', () => {
    // Node 20 reports a reset that arrives together with data as an end; the remote address is gone then.
    if (ending === 'open') ending = socket.remoteAddress === undefined ? 'reset' : 'end'
    notify()
  })
  socket.on('error', () => {
    if (ending === 'open') ending = 'reset'
    notify()
  })
  socket.on('close', () => {
    if (ending === 'open') ending = 'end'
    notify()
  })

  /** Calls `look` after every change, and resolves with its first defined value. */
  const until = <T>(look: () => T | undefined, what: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const watcher = () => {
        const value = look()
        if (value !== undefined) {
          watchers.delete(watcher)
          resolve(value)
        } else if (ending !== 'open' && what !== 'ending') {
          watchers.delete(watcher)
          reject(new Error(`${ending} before ${what}; received ${JSON.stringify(pending.slice(0, 2_000))}`))
        }
      }
      watchers.add(watcher)
      watcher()
    })

  await new Promise<void>((resolve, reject) => {
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => resolve())
    socket.once('error', reject)
  })
  return {
    socket,
    pending: () => pending,
    write: (octets) => void socket.write(typeof octets === 'string' ? Buffer.from(octets, 'latin1') : octets),
    response: (method = 'GET') =>
      until(() => {
        for (;;) {
          const isInformational = /^HTTP\/1\.1 1/.test(pending)
          const message = takeMessage(pending, {
            body: method === 'HEAD' ? 'none' : 'as-framed',
            stream: ending === 'end' ? 'ended' : 'open',
          })
          if (message === undefined) return undefined
          pending = pending.slice(message.octets.length)
          if (!isInformational) return message
        }
      }, 'a complete response'),
    received: (text) =>
      until(() => (pending.includes(text) ? true : undefined), JSON.stringify(text)).then(() => undefined),
    ended: () => until(() => (ending === 'open' ? undefined : ending), 'ending'),
    close: () => socket.destroy(),
  }
}
