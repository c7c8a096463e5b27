import { setTimeout as delay } from 'node:timers/promises'
import { DEFAULT_PORT } from '../http/authority.ts'
import type { Fields } from '../http/fields.ts'
import { exchangeOnce } from './exchange-once.ts'
import { exchangeOverH2 } from './exchange-over-h2.ts'
import type { NameOverride } from './name-override.ts'
import { openConnection } from './open-connection.ts'
import {
  type Endpoint,
  MOST_HEAD,
  type NoResponse,
  type Probe,
  type ProbeReply,
  type ProbeRequest,
} from './probe.ts'
import { resolve } from './resolve.ts'
import type { Trust } from './trust.ts'

export interface NetworkProbeOptions {
  /** The program's own version, for User-Agent. */
  readonly version: string
  readonly overrides: readonly NameOverride[]
  /** Absent: the certificate authorities that Node ships. */
  readonly trust: Trust | undefined
  /** For each step: resolving a name, opening a connection, an exchange. */
  readonly deadlineMs?: number
  /** For an exchange, where that may take longer. */
  readonly answerMs?: number
  /** The pauses before each retry of a refused connection. */
  readonly pausesMs?: readonly number[]
  /** Replaced in tests. */
  readonly pause?: (durationMs: number) => Promise<unknown>
}

/** The probe for the real network. It keeps no connections open and no state. */
export function networkProbe(options: NetworkProbeOptions): Probe {
  const { version, overrides, trust, deadlineMs = 10_000, pausesMs = [300, 1700], pause = delay } = options
  const { answerMs = deadlineMs } = options
  /** The reply, and the protocol that both ends agreed on by ALPN. */
  const exchange = async (
    endpoint: Endpoint,
    address: string,
    request: ProbeRequest,
    signal: AbortSignal,
  ) => {
    const { protocol = 'http/1.1' } = request
    const opened = await openConnection(endpoint, address, trust, signal, [protocol])
    const fail = (cause: NoResponse['cause'], code: string): ProbeReply => ({ kind: 'none', cause, code })
    if (opened.kind === 'unconnected') return { reply: fail(opened.cause, opened.code), agreed: undefined }
    const { socket, certificate, agreed } = opened
    const fault = certificate?.fault ?? (protocol === 'h2' && agreed !== 'h2' ? 'no HTTP/2' : undefined)
    if (fault !== undefined) {
      socket.destroy()
      return { reply: fail('tls', fault), agreed }
    }
    const whole = { ...request, fields: buildFields(endpoint, request, version) }
    const send = protocol === 'h2' ? exchangeOverH2 : exchangeOnce
    const { bodyBytes = LIMITS.bodyBytes } = request
    const reply = await send(socket, whole, { ...LIMITS, bodyBytes }, signal)
    const isLate = reply.kind === 'none' && reply.cause === 'timeout'
    return { reply: isLate ? { ...reply, waitedMs: limitOf(request) } : reply, agreed }
  }
  const limitOf = ({ mostMs = answerMs }: ProbeRequest) => Math.min(mostMs, answerMs)
  return {
    resolve: (endpoint) => resolve(endpoint, overrides, AbortSignal.timeout(deadlineMs)),
    connect: async (endpoint, address) => {
      const open = () =>
        openConnection(endpoint, address, trust, AbortSignal.timeout(deadlineMs), ['h2', 'http/1.1'])
      let opened = await open()
      // A refused connection is tried again, since a front end may be reloading.
      for (const pauseMs of pausesMs) {
        if (opened.kind === 'opened' || opened.cause !== 'refused') break
        await pause(pauseMs)
        opened = await open()
      }
      if (opened.kind === 'unconnected') return opened
      opened.socket.destroy()
      return { kind: 'open', certificate: opened.certificate, offersH2: opened.agreed === 'h2' }
    },
    send: (endpoint, address, request) =>
      within(limitOf(request), async (signal) => {
        const { reply, agreed } = await exchange(endpoint, address, request, signal)
        const isAnswered = reply.kind === 'response' || !UNSPOKEN.has(reply.cause)
        if (isAnswered || endpoint.scheme === 'http' || agreed !== undefined) return reply
        const other = await exchange(endpoint, address, { ...request, protocol: 'h2' }, signal)
        return other.agreed === 'h2' ? other.reply : reply
      }),
    pause,
  }
}

/** Keeps the process running, as AbortSignal.timeout and a connection on which Node's HTTP/2 failed don't. */
async function within<Result>(
  durationMs: number,
  use: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), durationMs)
  try {
    return await use(deadline.signal)
  } finally {
    clearTimeout(timer)
  }
}

function buildFields(
  endpoint: Endpoint,
  { host, fields, body, protocol }: ProbeRequest,
  version: string,
): Fields {
  const { scheme, host: own, port } = endpoint
  const authority = host ?? (port === DEFAULT_PORT[scheme] ? own : `${own}:${port}`)
  return [
    ...(protocol === 'h2' ? [':authority', authority] : ['Host', authority]),
    ...['User-Agent', `continuation-point/${version}`],
    // A content coding would have to be decoded before answers can be compared.
    ...['Accept-Encoding', 'identity'],
    ...fields,
    ...(body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body, 'latin1'))]),
    ...(protocol === 'h2' ? [] : ['Connection', 'close']),
  ]
}

/** How servers that speak HTTP/2 alone take HTTP/1.1. */
const UNSPOKEN: ReadonlySet<string> = new Set(['tls', 'malformed', 'closed'])

const LIMITS = { headBytes: MOST_HEAD.bytes, bodyBytes: 131_072, bodyPieces: 16_384 }
