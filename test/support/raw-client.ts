import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Watch } from './watch.ts'
import { takeMessage, type WireMessage } from './wire.ts'

/** How the other end closed a connection. */
export type Ending = 'open' | 'end' | 'reset'

/** A client that writes and reads raw octets. */
export interface RawClient {
  readonly socket: Socket
  /** Everything received and not yet read, latin1. */
  readonly pending: () => string
  write(octets: string | Buffer): void
  /** The interim responses so far. */
  readonly interim: readonly WireMessage[]
  /** The next complete final response; rejects if the connection ends before it is complete. */
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

/** Sends a request on a connection of its own, and reads the response. */
export async function askOnce(port: number, octets: string, tls?: ClientTls): Promise<WireMessage> {
  const client = await openClient(port, tls)
  client.write(octets)
  const answer = await client.response(octets.slice(0, octets.indexOf(' ')))
  client.close()
  return answer
}

/** Opens a connection to a port on loopback. */
export async function openClient(port: number, tls?: ClientTls): Promise<RawClient> {
  const socket =
    tls === undefined
      ? connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      : connectTls({ port, host: '127.0.0.1', ...tls })
  let pending = ''
  let ending: Ending = 'open'
  const interim: WireMessage[] = []
  const watch = new Watch()
  const end = (how: Ending) => {
    if (ending === 'open') ending = how
    watch.notify()
  }
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1')
    watch.notify()
  })
  // Node 20 reports a reset that arrives together with data as an end; the remote address is gone then.
  socket.on('end', () => end(socket.remoteAddress === undefined ? 'reset' : 'end'))
  socket.on('error', () => end('reset'))
  socket.on('close', () => end('end'))

  /** The first defined value of `look`, before the connection ends. */
  const until = <T>(look: () => T | undefined, what: string): Promise<T> =>
    watch.find(() => {
      const value = look()
      if (value === undefined && ending !== 'open')
        throw new Error(`${ending} before ${what}; received ${JSON.stringify(pending.slice(0, 2_000))}`)
      return value
    })

  await new Promise<void>((resolve, reject) => {
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => resolve())
    socket.once('error', reject)
  })
  return {
    socket,
    interim,
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
          interim.push(message)
        }
      }, 'a complete response'),
    received: (text) =>
      until(() => (pending.includes(text) ? true : undefined), JSON.stringify(text)).then(() => undefined),
    ended: () => watch.find(() => (ending === 'open' ? undefined : ending)),
    close: () => socket.destroy(),
  }
}
