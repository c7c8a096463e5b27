import { listOf, record } from './answer.ts'
import { type CallOptions, withIntegerId } from './request.ts'
import type { Send } from './send.ts'

/** The role of an agent. What each may do is not documented (spec 5, rule 3). */
export type AgentRole = 'admin' | 'manager' | 'agent'

/** A member of the support staff (spec 2.1). */
export interface Agent {
  readonly agent_id: number
  readonly agent_name: string
  readonly agent_email: string
  /**
   * ISO 8601, UTC, microseconds: the last login, or the last time a token was generated. The service documents no null,
   * which an agent who never logged in may have.
   */
  readonly last_login: string | null
  readonly role: AgentRole
  readonly available: boolean
}

export interface NewAgent {
  /** Becomes `agent_name`. */
  readonly username: string
  readonly agent_email: string
  readonly password: string
  /** Default: `agent`. */
  readonly role?: AgentRole | undefined
}

export interface CreatedAgent {
  /** A string here, an integer everywhere else (spec 2.1). Every call takes either. */
  readonly agent_id: string
}

/**
 * The service's two descriptions differ: one marks every field optional, the other requires `username` and `available`.
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
  | {
      readonly agent_id: number | string
      readonly email?: string | undefined
      readonly name?: string | undefined
    }
  | { readonly agent_id?: undefined; readonly email: string; readonly name: string }
) & {
  /** Of an agent that this call creates; ignored for an existing one. Default: `agent`. */
  readonly role?: AgentRole | undefined
  /** Generate a new token even if the old one is still valid; the old one is invalidated. Default: false. */
  readonly force_new?: boolean | undefined
}

/** A token to build embed links with (spec 2.2). */
export interface AgentToken {
  /** Whether this call created the agent. */
  readonly user_created: boolean
  /** Anyone who has it can act as the agent: keep it out of logs. */
  readonly agent_token: string
  /** Seconds, at most 86 400. */
  readonly expires_in: number
  readonly agent_id: number
  readonly agent_role: AgentRole
}

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
    list: ({ free } = {}, call) => send('GET /agents/', listOf<Agent>(IDS), call, { query: { free } }),
    create: (body, call) => send('POST /agents/', createdAgent, call, { body }),
    get: (id, call) => send('GET /agents/{AGENT_ID}/', record<Agent>(IDS, 'agent_id'), call, { id }),
    update: (id, body, call) =>
      send('PUT /agents/{AGENT_ID}/', record<UpdatedAgent>(IDS, 'agent_id'), call, { id, body }),
    delete: (id, call) => send('DELETE /agents/{AGENT_ID}/', record<Confirmation>(), call, { id }),
    createAccessToken: (request, call) =>
      send('POST /agents/access-token/', agentToken, call, { body: withIntegerId(request) }),
  }
}

const IDS = { agent_id: 'integer' } as const

const createdAgent = record<CreatedAgent>({ agent_id: 'string' }, 'agent_id')

const agentToken = record<AgentToken>(IDS, 'agent_token')
