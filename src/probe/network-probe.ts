import { setTimeout as delay } from 'node:timers/promises'
import { DEFAULT_PORT } from '../http/authority.ts'
import type { Fields } from '../http/fields.ts'
import { exchangeOnce, type ResponseLimits } from './exchange-once.ts'
import type { NameOverride } from './name-override.ts'
import { openConnection } from './open-connection.ts'
import type { Endpoint, Probe, ProbeRequest } from './probe.ts'
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
  /** The pauses before each retry of a refused connection. */
  readonly pausesMs?: readonly number[]
  readonly limits?: ResponseLimits
  /** Replaced in tests. */
  readonly pause?: (durationMs: number) => Promise<unknown>
}

/** The probe for the real network. It keeps no connections open and no state. */
export function networkProbe(options: NetworkProbeOptions): Probe {
  const { version, overrides, trust, deadlineMs = 10_000, pausesMs = [1000, 4000], pause = delay } = options
  const { limits = { headBytes: 65_536, bodyBytes: 1_048_576 } } = options
  return {
    resolve: (endpoint) => resolve(endpoint, overrides, AbortSignal.timeout(deadlineMs)),
    connect: async (endpoint, address) => {
      const open = () => openConnection(endpoint, address, trust, AbortSignal.timeout(deadlineMs))
      let opened = await open()
      // A refused connection is tried again, since a front end may be reloading.
      for (const pauseMs of pausesMs) {
        if (opened.kind === 'opened' || opened.cause !== 'refused') break
        await pause(pauseMs)
        opened = await open()
      }
      if (opened.kind === 'unconnected') return opened
      opened.socket.destroy()
      return { kind: 'open', certificate: opened.certificate }
    },
    send: async (endpoint, address, request) => {
      const signal = AbortSignal.timeout(deadlineMs)
      const opened = await openConnection(endpoint, address, trust, signal)
      if (opened.kind === 'unconnected') return { kind: 'none', cause: opened.cause, code: opened.code }
      const { socket, certificate } = opened
      if (certificate?.fault !== undefined) {
        socket.destroy()
        return { kind: 'none', cause: 'tls', code: certificate.fault }
      }
      const fields = buildFields(endpoint, request, version)
      return exchangeOnce(socket, { ...request, fields }, limits, signal)
    },
    pause,
  }
}

function buildFields(endpoint: Endpoint, { host, fields, body }: ProbeRequest, version: string): Fields {
  return [
    ...['Host', host ?? formatHost(endpoint)],
    ...['User-Agent', `continuation-point/${version}`],
    // A content coding would have to be decoded before answers can be compared.
    ...['Accept-Encoding', 'identity'],
    ...fields,
    ...(body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body, 'latin1'))]),
    ...['Connection', 'close'],
  ]
}

function formatHost({ scheme, host, port }: Endpoint): string {
  return port === DEFAULT_PORT[scheme] ? host : `${host}:${port}`
}
