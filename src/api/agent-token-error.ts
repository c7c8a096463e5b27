export type AgentTokenErrorKind = keyof typeof phrases

/**
 * Why there is no token, where it is not the service's doing. It holds no token, no key and nothing that a store said but
 * its error code: clients of stores put what they sent into their errors.
 */
export class AgentTokenError extends Error {
  readonly kind: AgentTokenErrorKind

  /** @param detail an id or an error code */
  constructor(kind: AgentTokenErrorKind, detail?: string) {
    super(`agent token: ${phrases[kind]}${detail === undefined ? '' : ` (${detail})`}`)
    this.name = 'AgentTokenError'
    this.kind = kind
  }
}

const phrases = {
  'agent-gone': 'the service knows no such agent any more; ask by e-mail and name to make it anew',
  store: 'the store failed; look at its log, and try again',
} as const
