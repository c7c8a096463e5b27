import { DEFAULT_PORT } from '../http/authority.ts'
import type { Fields } from '../http/fields.ts'

/** Where to connect, as named by the user. */
export interface Endpoint {
  readonly scheme: 'http' | 'https'
  /** Canonical; an IPv6 literal keeps its brackets. */
  readonly host: string
  readonly port: number
}

export function parseEndpoint(text: string): Endpoint {
  const { protocol, hostname, port } = new URL(text)
  const scheme = protocol === 'https:' ? 'https' : 'http'
  return { scheme, host: hostname, port: port === '' ? DEFAULT_PORT[scheme] : Number(port) }
}

/** The only access to the network. No method rejects: if something could not be observed, the result says why. */
export interface Probe {
  resolve(endpoint: Endpoint): Promise<Resolution>
  /** Opens a connection to one address, reads its certificate and closes it. */
  connect(endpoint: Endpoint, address: string): Promise<Connection>
  /** One exchange on a connection of its own. Redirects are not followed. */
  send(endpoint: Endpoint, address: string, request: ProbeRequest): Promise<ProbeReply>
  /** Waits before a retry. */
  pause(durationMs: number): Promise<unknown>
}

export type Resolution =
  /** `isLoopback`: by its name alone, so that all are this machine. */
  | { readonly kind: 'resolved'; readonly addresses: readonly string[]; readonly isLoopback?: true }
  /** The name has no address. */
  | { readonly kind: 'unresolved'; readonly code: string }
  /** The resolver failed, so it is not known. */
  | { readonly kind: 'unknown'; readonly code: string }

export type Connection =
  | {
      readonly kind: 'open'
      readonly certificate: Certificate | undefined
      readonly offersH2?: boolean
    }
  | Unconnected

export interface Unconnected {
  readonly kind: 'unconnected'
  /** `unroutable`: this machine has no route there, which says nothing about the other end. */
  readonly cause: 'refused' | 'tls' | 'timeout' | 'unroutable'
  /** Node's or OpenSSL's code. */
  readonly code: string
}

export interface Certificate {
  /** OpenSSL's or Node's code for why it is not valid for this host; absent if it is valid. */
  readonly fault: string | undefined
  /** Tells it from others. */
  readonly fingerprint: string
  /** The hosts that it is for. */
  readonly names: readonly string[]
  /** Milliseconds since the epoch; absent if the date can't be read. */
  readonly validFromMs: number | undefined
  readonly validToMs: number | undefined
  /** The issuer of the last certificate that was sent: the authority that must be trusted, or whose certificate is missing. */
  readonly issuer: string | undefined
  /** The certificates above the host's own, from its issuer upwards: those that were sent, and the known root. */
  readonly issuers: readonly { readonly name: string | undefined; readonly validToMs: number | undefined }[]
  /** Whether another one belongs between it and the authority: it is a public one, it names a place for its issuer's, or the issuer is called so. */
  readonly needsIntermediate: boolean
  /** SHA-256 of the SubjectPublicKeyInfo, in base64. */
  readonly keyHash?: string
}

export interface ProbeRequest {
  readonly method: string
  /** Origin-form, sent unchanged. */
  readonly target: string
  /** Sent in this order; User-Agent and framing come from the probe. */
  readonly fields: Fields
  /** Default: the endpoint's own. */
  readonly host?: string
  readonly body: string | undefined
  /** Of the response's body, before and after decoding: how much is kept. Default: the probe's own limit. */
  readonly bodyBytes?: number
  /** How long the answer is waited for, if less than the probe's own limit. */
  readonly mostMs?: number
  /** Default: HTTP/1.1, or HTTP/2 if the other end speaks that alone. */
  readonly protocol?: 'h2' | undefined
}

/** Of a response's head: each line takes far more memory than its octets. */
export const MOST_HEAD = { bytes: 65_536, lines: 500 } as const

/** What came back for a request: a response, or the reason why there is none. */
export type ProbeReply = ProbeResponse | NoResponse

export interface ProbeResponse {
  readonly kind: 'response'
  readonly status: number
  readonly fields: Fields
  /** Decoded and read as UTF-8; cut at the limit. */
  readonly body: string
  /** The limit cut it. */
  readonly isCut?: boolean
  /** Why the body is not whole, as a clause; absent if it is, and where the limit cut it. */
  readonly fault?: string
  /** The fault is its content coding. */
  readonly isUndecoded?: true
}

/** `gave-up`: not sent, since earlier answers took too long or were enough. `rate-limited`: refused each time, not sent again. */
export interface NoResponse {
  readonly kind: 'none'
  readonly cause:
    | Unconnected['cause']
    | 'unresolved'
    | 'closed'
    | 'malformed'
    | 'head-too-large'
    | 'gave-up'
    | 'rate-limited'
  readonly code: string
  /** How long an answer was waited for, if none came whole; and whether it began. */
  readonly waitedMs?: number
  readonly isBegun?: boolean
}
