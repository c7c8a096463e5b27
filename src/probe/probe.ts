import type { Fields } from '../http/fields.ts'

/** One place to connect to, as the user named it. */
export interface Endpoint {
  readonly scheme: 'http' | 'https'
  /** Canonical; an IPv6 literal keeps its brackets. */
  readonly host: string
  readonly port: number
}

/**
 * The only thing of the checker that touches the network. None of these rejects: what could not be observed is a
 * value that says why.
 */
export interface Probe {
  resolve(endpoint: Endpoint): Promise<Resolution>
  /** Opens a connection to one address, looks at its certificate and closes it. */
  connect(endpoint: Endpoint, address: string): Promise<Connection>
  /** One exchange on a connection of its own. Redirects are not followed. */
  send(endpoint: Endpoint, address: string, request: ProbeRequest): Promise<Reply>
  /** Waits between two questions. */
  pause(durationMs: number): Promise<unknown>
}

export type Resolution =
  | {
      readonly kind: 'resolved'
      readonly addresses: readonly string[]
      readonly by: 'dns' | 'literal' | 'loopback' | 'override'
    }
  /** The name has no address. */
  | { readonly kind: 'unresolved'; readonly code: string }
  /** Nobody could tell. */
  | { readonly kind: 'unknown'; readonly code: string }

export type Connection =
  | { readonly kind: 'open'; readonly certificate: Certificate | undefined }
  | Unconnected

export interface Unconnected {
  readonly kind: 'unconnected'
  /** `unroutable`: this machine has no way there, which says nothing of the other end. */
  readonly cause: 'refused' | 'tls' | 'timeout' | 'unroutable'
  /** Node's or OpenSSL's code. */
  readonly code: string
}

export interface Certificate {
  /** Why it is not valid for this host, as OpenSSL or Node names it; absent when it is valid. */
  readonly fault: string | undefined
  /** Milliseconds since the epoch; absent when the date can't be read. */
  readonly validToMs: number | undefined
  /** The issuer of the last certificate that was sent: the one that has to be known, or is missing. */
  readonly issuer: string | undefined
  /** How many certificates were sent. */
  readonly sent: number
  /** `public`: it claims a policy of the CA/Browser Forum, as each certificate of a public authority has to. */
  readonly policy: 'public' | 'other'
}

export interface ProbeRequest {
  readonly method: string
  /** Origin-form, sent as it stands. */
  readonly target: string
  /** Sent in this order; Host, User-Agent and framing come from the probe. */
  readonly fields: Fields
  readonly body: string | undefined
}

export type Reply = ProbeResponse | NoResponse

export interface ProbeResponse {
  readonly kind: 'response'
  readonly status: number
  readonly fields: Fields
  /** Read as UTF-8; cut at the probe's limit. */
  readonly body: string
  /** Whether all of the body arrived. */
  readonly complete: boolean
}

/**
 * `unresolved`: the host has no address. `gave-up`: not asked, since this point left too many questions unanswered, or was asked enough. `rate-limited`: turned
 * away each time, and not asked again.
 */
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
}
