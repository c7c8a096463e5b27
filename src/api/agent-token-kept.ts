import type { AgentToken } from './agents.ts'
import { json } from './answer.ts'
import { integer, record, text } from './schema.ts'

/** A token as it is stored, in JSON. */
export interface KeptToken {
  readonly agent_token: string
  readonly agent_id: number
  readonly agent_role: string
  /** Milliseconds since the epoch, as are all times here. */
  readonly expiresAtMs: number
  /** When to ask the service again. */
  readonly renewAtMs: number
}

/**
 * What is stored of the service's answer. The service generates a new token when "under 5 minutes" of the old one are left
 * (spec 3), so it is asked slightly later than that. If its clock is behind, it returns the same token, and is asked again
 * after a pause.
 *
 * @param askedMs when the request was sent, so the token is never taken for younger than it is
 */
export function toKeptToken(token: AgentToken, askedMs: number): KeptToken {
  const { agent_token, agent_id, agent_role, expires_in } = token
  const expiresAtMs = askedMs + expires_in * 1000
  const dueMs = Math.max(expiresAtMs - renewalMs, askedMs + pauseMs)
  return { agent_token, agent_id, agent_role, expiresAtMs, renewAtMs: Math.min(dueMs, expiresAtMs) }
}

/** Parses a stored value. Anything that is not a token counts as missing, so the service is asked again. */
export function parseKeptToken(value: string | undefined): KeptToken | undefined {
  const kept = value === undefined ? undefined : json(keptToken)(value)
  return kept !== undefined && 'value' in kept ? kept.value : undefined
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
