import { once } from 'node:events'
import { Agent, type ClientRequest, request as startRequest } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import type { Fields } from '../../../src/http/fields.ts'
import type { Endpoint } from '../../../src/probe/probe.ts'
import { chooseAuthorities, type Trust } from '../../../src/probe/trust.ts'
import type { CaseResponse } from './cases/run.ts'
import { closedGate, type Gate } from './gate.ts'
import { readBody } from './read-body.ts'

/** The suite's client: one connection to the point, kept open between requests if the point permits it. */
export interface Client {
  send(request: WireRequest): SentExchange
  close(): void
}

/** A request with all fields, including Host, except framing. */
export interface WireRequest {
  readonly method: string
  /** Raw. */
  readonly target: string
  readonly fields: Fields
  /** Latin1 text; the parts after the first wait for `rest`. */
  readonly parts: readonly string[]
  readonly framing: 'length' | 'chunked' | 'none'
}

export interface SentExchange {
  readonly head: Gate
  /** The first octets of the response body have arrived. */
  readonly body: Gate
  /** Sends the parts after the first. */
  readonly rest: Gate
  readonly reply: Promise<CaseResponse>
}

export interface PointAddress {
  readonly endpoint: Endpoint
  readonly address: string
  readonly trust: Trust | undefined
}

/** Opens a connection; `undefined` if the point does not accept it, or has no valid certificate. */
export async function openSocket(
  { endpoint: { scheme, host, port }, address, trust }: PointAddress,
  limitMs: number,
  protocol: 'http/1.1' | 'h2',
): Promise<Socket | undefined> {
  const place = { host: address, port, noDelay: true }
  const servername = isIP(host.replace(/^\[|\]$/g, '')) === 0 ? host : ''
  const tls = { secureContext: contextOf(trust), servername, ALPNProtocols: [protocol] }
  const socket = scheme === 'http' ? connect(place) : connectTls({ ...place, ...tls })
  // Whoever sends says so.
  socket.on('error', () => {})
  const signal = AbortSignal.timeout(limitMs)
  return once(socket, scheme === 'http' ? 'connect' : 'secureConnect', { signal }).then(
    () => socket,
    () => void socket.destroy(),
  )
}

/** To read the authorities for each connection takes longer than all else of it. */
function contextOf(trust: Trust | undefined): SecureContext {
  const known = contexts.get(trust)
  if (known !== undefined) return known
  const ca = chooseAuthorities(trust)
  const context = createSecureContext(ca && { ca })
  contexts.set(trust, context)
  return context
}

const contexts = new Map<Trust | undefined, SecureContext>()

/** Opens the client; `undefined` if it can't reach the point. */
export type OpenClient = (place: PointAddress, limitMs: number) => Promise<Client | undefined>

/** A client of HTTP/1.1. */
export async function openClient(place: PointAddress, limitMs: number): Promise<Client | undefined> {
  const socket = await openSocket(place, limitMs, 'http/1.1')
  if (socket === undefined) return undefined
  // Never opens a second connection: once the first is closed, requests fail.
  const agent = Object.assign(new Agent({ keepAlive: true, maxSockets: 1 }), {
    createConnection: () => socket,
  })
  return {
    send: (request) => send(agent, request),
    close: () => {
      agent.destroy()
      socket.destroy()
    },
  }
}

function send(agent: Agent, request: WireRequest): SentExchange {
  const { method, target, fields, parts, framing } = request
  const [head, body, rest] = [closedGate(), closedGate(), closedGate()]
  const reply = new Promise<CaseResponse>((resolve) => {
    const outgoing = startRequest({
      agent,
      method,
      path: target,
      headers: [
        ...fields,
        ...(framing === 'length' ? ['Content-Length', String(parts.join('').length)] : []),
        ...(framing === 'chunked' ? ['Transfer-Encoding', 'chunked'] : []),
      ],
      setHost: false,
      maxHeaderSize: HEADER_LIMIT_OCTETS,
    })
    outgoing.maxHeadersCount = 0
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ kind: 'none', code: error.code ?? 'unknown' }),
    )
    outgoing.on('response', (incoming) => {
      head.open()
      void readBody(incoming, body).then((read) =>
        resolve({
          kind: 'response',
          status: incoming.statusCode ?? 0,
          reason: incoming.statusMessage ?? '',
          fields: incoming.rawHeaders,
          ...read,
        }),
      )
    })
    void writeParts(outgoing, parts, rest)
  })
  return { head, body, rest, reply }
}

async function writeParts(outgoing: ClientRequest, parts: readonly string[], rest: Gate): Promise<void> {
  const [first = '', ...others] = parts
  if (others.length > 0) {
    outgoing.write(first, 'latin1')
    await rest.opened
  }
  outgoing.end(others.length > 0 ? others.join('') : first, 'latin1')
}

const HEADER_LIMIT_OCTETS = 1024 * 1024
