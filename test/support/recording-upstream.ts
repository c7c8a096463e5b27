import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { listen } from './listen.ts'
import { Watch } from './watch.ts'
import { takeMessage, type WireMessage } from './wire.ts'

/** One request as the service saw it. */
export interface RecordedRequest extends WireMessage {
  /** Counts connections from 0. */
  readonly connection: number
  /** Counts requests on this connection from 0. */
  readonly turn: number
}

/** What a script may do with one request. */
export type Script = (request: RecordedRequest, socket: Socket) => void

export interface RecordingUpstream {
  readonly port: number
  readonly origin: string
  /** `host:port`, the Host that it expects. */
  readonly authority: string
  readonly requests: RecordedRequest[]
  /** Everything received on each connection so far, including incomplete requests. */
  readonly octets: string[]
  readonly sockets: Socket[]
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>
  /** Resolves when the octets of connection `index` satisfy the test. */
  saw(index: number, test: (octets: string) => boolean): Promise<void>
  /** Resolves when connection `index` is closed. */
  closed(index: number): Promise<void>
  close(): Promise<void>
}

/** Answers every request with a small 200. */
export const answerOk: Script = (_request, socket) => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nCache-Control: no-store\r\n\r\nok')
}

/** Leaves requests to `/hold` unanswered. */
export const holdSome: Script = (request, socket) => {
  if (!request.startLine.includes('/hold')) answerOk(request, socket)
}

/** Writes the octets unchanged. */
export function answerWith(octets: string): Script {
  return (_request, socket) => void socket.write(Buffer.from(octets, 'latin1'))
}

export interface UpstreamOptions {
  readonly tls?: TlsOptions
  /** Called for every connection, before any request. */
  readonly onConnection?: (socket: Socket, index: number) => void
  /** `head`: the script runs once a head is there, body or not. */
  readonly answerAt?: 'end' | 'head'
}

/** A service that records octets and answers by script. It is not an HTTP server, so nothing is repaired or hidden. */
export async function startUpstream(
  script: Script = answerOk,
  options: UpstreamOptions = {},
): Promise<RecordingUpstream> {
  const requests: RecordedRequest[] = []
  const octets: string[] = []
  const sockets: Socket[] = []
  const watch = new Watch()
  const onSocket = (socket: Socket) => {
    const connection = sockets.push(socket) - 1
    octets.push('')
    let pending = ''
    let turn = 0
    let answered = -1
    socket.on('error', () => {})
    socket.on('close', () => watch.notify())
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      octets[connection] += text
      pending += text
      for (;;) {
        if (options.answerAt === 'head' && answered < turn && pending.includes('\r\n\r\n')) {
          answered = turn
          const head = takeMessage(pending, { body: 'none', stream: 'open' })
          if (head !== undefined) script({ ...head, connection, turn }, socket)
        }
        const message = takeMessage(pending, { body: 'as-framed', stream: 'open' })
        if (message === undefined) break
        pending = pending.slice(message.octets.length)
        const request = { ...message, connection, turn }
        turn += 1
        requests.push(request)
        if (options.answerAt !== 'head') script(request, socket)
      }
      watch.notify()
    })
    options.onConnection?.(socket, connection)
    watch.notify()
  }
  const { port, close } = await listen(
    options.tls === undefined ? createServer(onSocket) : createTlsServer(options.tls, onSocket),
  )
  const scheme = options.tls === undefined ? 'http' : 'https'
  return {
    port,
    origin: `${scheme}://127.0.0.1:${port}`,
    authority: `127.0.0.1:${port}`,
    requests,
    octets,
    sockets,
    arrived: (count) => watch.until(() => requests.length >= count),
    saw: (index, test) => watch.until(() => test(octets[index] ?? '')),
    closed: (index) => watch.until(() => sockets[index]?.destroyed === true),
    close,
  }
}
