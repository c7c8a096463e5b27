/** The other end of a downstream connection. */
export interface Peer {
  /** Address without port; an IPv4-mapped IPv6 address as IPv4. Empty if the socket is closed. */
  readonly address: string
  /** Whether its forwarding fields are believed. */
  readonly isTrusted: boolean
}
