/** The other end of a downstream connection. */
export interface Peer {
  /** Textual address without port; an IPv4-mapped IPv6 address as IPv4. Empty when the socket is gone. */
  readonly address: string
  /** Whether its forwarding fields are believed. */
  readonly isTrusted: boolean
}
