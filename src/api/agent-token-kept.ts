import type { AgentToken } from './agents.ts'
import { integer, read, record, text } from './shape.ts'

/** A token as stores keep it, in JSON. */
export interface KeptToken {
  readonly agent_token: string
  readonly agent_id: number
  readonly agent_role: string
  /** Milliseconds since the epoch, as are all times here. */
  readonly expiresAtMs: number
  /** From when on the service is asked again. */
  readonly renewAtMs: number
}

/**
 * What is kept of the service's answer. The service makes a new token when "under 5 minutes" of the old one are left
 * (spec 3), so it is asked a little after that. Should its clock be behind, it gives the same token once more, and is
 * asked again only after a pause.
 *
 * @param askedMs when it was asked: the time that the answer took can only make the token look older than it is
 */
export function toKeptToken(token: AgentToken, askedMs: number): KeptToken {
  const { agent_token, agent_id, agent_role, expires_in } = token
  const expiresAtMs = askedMs + expires_in * 1000
  const dueMs = Math.max(expiresAtMs - renewalMs, askedMs + pauseMs)
  return { agent_token, agent_id, agent_role, expiresAtMs, renewAtMs: Math.min(dueMs, expiresAtMs) }
}

/** Reads what a store gave; what is no token counts as none, and the service is asked again. */
export function parseKeptToken(value: string | undefined): KeptToken | undefined {
  if (value === undefined) return undefined
  try {
    const kept = read(keptToken, JSON.parse(value))
    return 'value' in kept ? kept.value : undefined
  } catch {
    return undefined
  }
}

const keptToken = record<KeptToken>(['agent_token', 'agent_id', 'expiresAtMs', 'renewAtMs'], {
  agent_token: text,
  agent_id: integer,
  agent_role: text,
  expiresAtMs: integer,
  renewAtMs: integer,
})

const renewalMs = 295_000
const pauseMs = 10_000
