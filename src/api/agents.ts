import { json } from './answer.ts'
import type { CallOptions } from './request.ts'
import { type Fields, flag, integer, integerId, listOf, nullable, record, text, textId } from './schema.ts'
import type { Send } from './send.ts'

/** The role of an agent. What each may do is not documented (spec 5, rule 3). */
export type AgentRole = 'admin' | 'manager' | 'agent'

const fields = {
  agent_id: integerId,
  agent_name: text,
  agent_email: text,
  /**
   * ISO 8601, UTC, microseconds: the last login, or the last time a token was generated. The service documents no null;
   * it is accepted for an agent who never logged in.
   */
  last_login: nullable(text),
  /** `admin`, `manager` or `agent`. */
  role: text,
  available: flag,
}

/** A member of the support staff (spec 2.1). */
export type Agent = Fields<typeof fields>

export interface NewAgent {
  /** Becomes `agent_name`. */
  readonly username: string
  readonly agent_email: string
  readonly password: string
  /** Default: `agent`. */
  readonly role?: AgentRole | undefined
}

export interface CreatedAgent {
  /** A string here, an integer everywhere else (spec 2.1). */
  readonly agent_id: string
}

/**
 * The service's two descriptions differ: one marks every field optional, the other requires `username` and `available`.
 * Giving both satisfies either.
 */
export interface AgentUpdate {
  readonly username?: string | undefined
  readonly agent_email?: string | undefined
  readonly available?: boolean | undefined
  /** If it is left out, the role becomes `agent`, the documented default. Give it to keep it. */
  readonly role?: AgentRole | undefined
}

export type UpdatedAgent = Pick<Agent, 'agent_name' | 'agent_id' | 'agent_email' | 'available'>

/** The service's message that something was deleted. */
export interface Confirmation {
  readonly response: string
}

/** For an existing agent by id; else by e-mail and name, and the agent is created if there is none. */
export type TokenRequest = (
  | { readonly agent_id: number; readonly email?: string | undefined; readonly name?: string | undefined }
  | { readonly agent_id?: undefined; readonly email: string; readonly name: string }
) & {
  /** Of an agent that this call creates; ignored for an existing one. Default: `agent`. */
  readonly role?: AgentRole | undefined
  /** Generate a new token even if the old one is still valid; the old one is invalidated. Default: false. */
  readonly force_new?: boolean | undefined
}

const tokenFields = {
  /** Whether this call created the agent. */
  user_created: flag,
  /** Anyone who has it can act as the agent: keep it out of logs. */
  agent_token: text,
  /** Seconds, at most 86 400. */
  expires_in: integer,
  agent_id: integerId,
  /** `admin`, `manager` or `agent`. */
  agent_role: text,
}

/** A token to build embed links with (spec 2.2). */
export type AgentToken = Fields<typeof tokenFields>

/** Spec 4.1. */
export interface Agents {
  /** @param filter `free`: only agents ready to take a call, that is, available and online */
  list(filter?: { readonly free?: boolean | undefined }, options?: CallOptions): Promise<readonly Agent[]>
  create(agent: NewAgent, options?: CallOptions): Promise<CreatedAgent>
  get(agentId: number | string, options?: CallOptions): Promise<Agent>
  update(agentId: number | string, update: AgentUpdate, options?: CallOptions): Promise<UpdatedAgent>
  delete(agentId: number | string, options?: CallOptions): Promise<Confirmation>
  /**
   * Returns the agent's access token, which is valid for 86 400 seconds (24 hours) from its creation.
   *
   * An agent has one active token. A repeated call returns it, unless `force_new` is true or less than 5 minutes of it
   * are left: then a new one is generated, which invalidates the old one (spec 3). An unknown `agent_id` is an `ApiError` with
   * status 404 and `fieldErrors.agent_id`.
   */
  createAccessToken(request: TokenRequest, options?: CallOptions): Promise<AgentToken>
}

export function createAgents(send: Send): Agents {
  return {
    list: ({ free } = {}, call) => send('GET /agents/', json(listOf(agent)), call, { query: { free } }),
    create: (body, call) => send('POST /agents/', json(createdAgent), call, { body }),
    get: (id, call) => send('GET /agents/{AGENT_ID}/', json(agent), call, { id }),
    update: (id, body, call) => send('PUT /agents/{AGENT_ID}/', json(updatedAgent), call, { id, body }),
    delete: (id, call) => send('DELETE /agents/{AGENT_ID}/', json(confirmation), call, { id }),
    createAccessToken: (body, call) => send('POST /agents/access-token/', json(agentToken), call, { body }),
  }
}

const agent = record<Agent>(['agent_id'], fields)

const updatedAgent = record<UpdatedAgent>(['agent_id'], fields)

const createdAgent = record<CreatedAgent>(['agent_id'], { agent_id: textId })

const agentToken = record<AgentToken>(['agent_token', 'expires_in', 'agent_id'], tokenFields)

export const confirmation = record<Confirmation>([], { response: text })
