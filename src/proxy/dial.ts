import { X509Certificate } from 'node:crypto'
import { connect, isIP, type Socket } from 'node:net'
import tls, { type PeerCertificate } from 'node:tls'
import type { Addresses } from './addresses.ts'
import { ResponseReader } from './internals/response-reader.ts'

/** The service, and how connections to it are opened and used. */
export interface UpstreamSettings {
  /** `https://host[:port]`. */
  readonly origin: string
  /** PEM certificates trusted in addition to Node's own. */
  readonly extraCa: string | undefined
  /** The time limit for name lookup, TCP and TLS together. */
  readonly connectTimeoutMs: number
  /** A connection is used for new requests at most so long, so that it never outlives the address of the service for long. */
  readonly connectionAgeMs: number
}

export interface Dialed {
  readonly socket: Socket
  readonly reader: ResponseReader
  /** The first request failed: other addresses of the service come first for a while. @returns whether there are any */
  blame(): 'others' | 'none'
}

class ConnectTimeoutError extends Error {
  readonly code = 'UND_ERR_CONNECT_TIMEOUT'
}

/**
 * Compiles an address into a function that opens connections to it: TLS is always verified, HTTP/1.1 only, both address
 * families are tried (RFC 8305), and other addresses where TLS fails.
 */
export function compileDial({ origin, extraCa, connectTimeoutMs }: UpstreamSettings, addresses: Addresses) {
  const { protocol, hostname, port } = new URL(origin)
  const isTls = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  // Shared by all connections: each would otherwise parse and keep every certificate, which takes half a megabyte.
  const secureContext = isTls
    ? tls.createSecureContext({
        minVersion: 'TLSv1.2',
        ...(extraCa === undefined ? {} : { ca: [...tls.rootCertificates, extraCa] }),
      })
    : undefined
  // So three addresses may be dead. By default 250 ms: less than a lost packet costs, and Node does not come back to an address.
  const attemptTimeoutMs = Math.max(250, connectTimeoutMs / 4)
  let session: Buffer | undefined

  function open(reader: ResponseReader): Socket {
    const options = {
      host,
      port: Number(port || (isTls ? 443 : 80)),
      lookup: addresses.lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
      ...reader.socketOptions,
    }
    if (!isTls) return connect(options)
    const socket = tls.connect({
      ...options,
      ...(secureContext === undefined ? {} : { secureContext }),
      ...(isIP(host) === 0 ? { servername: host } : { checkServerIdentity: checkAddress }),
      ...(session === undefined ? {} : { session }),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    })
    return socket.on('session', (next: Buffer) => (session = next))
  }

  return (onOpen: (dialed: Dialed) => void, onFailure: (error: Error) => void): { cancel(): void } => {
    let socket: Socket
    let state: 'opening' | 'late' | 'cancelled' = 'opening'
    const broken = new Set<string>()
    const attempt = () => {
      const reader = new ResponseReader()
      let attempted: string | undefined
      let address: string | undefined
      let failure: Error | undefined
      let handshakeTimer: NodeJS.Timeout | undefined
      const onClose = () => {
        clearTimeout(handshakeTimer)
        if (address !== undefined && state !== 'cancelled') {
          addresses.fail(address)
          const isNew = !broken.has(address)
          broken.add(address)
          if (isNew && state === 'opening' && addresses.hasOthers(broken)) return attempt()
        }
        clearTimeout(timer)
        onFailure(failure ?? new ConnectTimeoutError())
      }
      socket = open(reader)
        .on('error', (error) => {
          failure = error
        })
        .on('connectionAttempt', (tried) => {
          attempted = tried
        })
        .on('connectionAttemptFailed', (tried) => addresses.fail(tried))
        .on('connectionAttemptTimeout', (tried) => addresses.fail(tried))
        .once('connect', () => {
          address = attempted
          if (isTls && address !== undefined && addresses.hasOthers(new Set(broken).add(address)))
            handshakeTimer = setTimeout(() => socket.destroy(), attemptTimeoutMs)
        })
        .once('close', onClose)
        .once(isTls ? 'secureConnect' : 'connect', () => {
          clearTimeout(timer)
          clearTimeout(handshakeTimer)
          socket.off('close', onClose)
          reader.attach(socket)
          const blame = () => {
            if (address === undefined) return 'none'
            addresses.fail(address)
            return addresses.hasOthers(new Set([address])) ? 'others' : 'none'
          }
          onOpen({ socket, reader, blame })
        })
    }
    const timer = setTimeout(() => {
      state = 'late'
      socket.destroy(new ConnectTimeoutError())
    }, connectTimeoutMs)
    attempt()
    return {
      cancel: () => {
        state = 'cancelled'
        socket.destroy()
      },
    }
  }
}

/** OpenSSL compares the address: some releases of Node 22, 24 and 26 don't know that an IPv6 address is one. */
function checkAddress(address: string, certificate: PeerCertificate): Error | undefined {
  const isNamed = certificate.raw && new X509Certificate(certificate.raw).checkIP(address) !== undefined
  return isNamed ? undefined : tls.checkServerIdentity(address, certificate)
}
