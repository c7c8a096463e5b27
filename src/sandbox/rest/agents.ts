import { queryBoolean } from '../schema/query.ts'
import { boolean, email, filledText, integer, optional, type ValuesOf } from '../schema/schema.ts'
import { formatTimestamp } from '../schema/timestamp.ts'
import { freshKey } from '../state/fresh.ts'
import type { Agent, Company } from '../state/service.ts'
import { addAgent, findAgentByEmail, role, type Service } from '../state/service.ts'
import { full, notFound, ok, type Reply, refused } from './reply.ts'
import { itemOf, type Named, type Route, route } from './route.ts'

const find = ({ company, segments }: Named) => itemOf(company.agents, segments.AGENT_ID) ?? unknownAgent()

/** The agents of a company (spec 4.1). */
export const agentRoutes: readonly Route[] = [
  route('GET /agents/', 'List the agents', {
    query: { free: optional(queryBoolean) },
    responses: { 200: 'The agents' },
    answer: ({ company, query: { free } }) =>
      ok(
        [...company.agents.values()]
          .filter((agent) => free === undefined || (agent.available && agent.online) === free)
          .map(toAgentBody),
      ),
  }),
  route('POST /agents/', 'Create an agent', {
    body: { username: filledText, agent_email: email, password: filledText, role: optional(role) },
    responses: { 200: 'The id of the agent, as a string' },
    answer({ service, company, body, nowMs }) {
      const refusal = refuseAgent(company, 'agent_email', body.agent_email)
      if (refusal !== undefined) return refusal
      const { username: agent_name, agent_email, role } = body
      const agent = addAgent(service, company, { agent_name, agent_email, role, lastLoginMs: nowMs })
      return ok({ agent_id: String(agent.agent_id) })
    },
  }),
  route('GET /agents/{AGENT_ID}/', 'Read an agent', {
    find,
    responses: { 200: 'The agent' },
    answer: ({ subject }) => ok(toAgentBody(subject)),
  }),
  route(
    'PUT /agents/{AGENT_ID}/',
    'Change an agent; fields that are left out keep their values, except the role, which becomes agent',
    {
      find,
      body: {
        username: optional(filledText),
        agent_email: optional(email),
        available: optional(boolean),
        role: optional(role),
      },
      responses: { 200: 'The agent, without its role and last login' },
      answer({ company, subject: agent, body }) {
        const changed: Agent = {
          ...agent,
          agent_name: body.username ?? agent.agent_name,
          agent_email: body.agent_email ?? agent.agent_email,
          available: body.available ?? agent.available,
          // **Ours:** "default agent" (spec 4.1) applies to a change too.
          role: body.role ?? 'agent',
        }
        const namesake = findAgentByEmail(company, changed.agent_email)
        if (namesake !== undefined && namesake !== agent) return takenEmail('agent_email')
        company.agents.set(agent.agent_id, changed)
        const { agent_name, agent_id, agent_email, available } = changed
        return ok({ agent_name, agent_id, agent_email, available })
      },
    },
  ),
  route('DELETE /agents/{AGENT_ID}/', 'Delete an agent', {
    find,
    responses: { 200: 'A confirmation' },
    answer({ company, subject: { agent_id } }) {
      company.agents.delete(agent_id)
      return ok({ response: `Agent ${agent_id} was deleted.` })
    },
  }),
]

export function unknownAgent(): Reply {
  return notFound('agent_id', 'agent with this id')
}

/** The refusal if no agent with this address may be added. */
export function refuseAgent(company: Company, emailField: string, address: string): Reply | undefined {
  if (findAgentByEmail(company, address) !== undefined) return takenEmail(emailField)
  if (company.agents.size < company.agent_count) return undefined
  return full('agents', 'agent_count')
}

function takenEmail(field: string): Reply {
  return refused(400, { [field]: ['It is the address of another agent.'] })
}

function toAgentBody({ agent_id, agent_name, agent_email, lastLoginMs, role, available }: Agent) {
  return { agent_id, agent_name, agent_email, last_login: formatTimestamp(lastLoginMs), role, available }
}

const members = {
  agent_id: optional(integer(1)),
  email: optional(email),
  name: optional(filledText),
  role: optional(role),
  force_new: optional(boolean),
} as const

/** Access tokens of agents (spec 2.2 and 3). */
export const accessTokenRoutes: readonly Route[] = [
  route(
    'POST /agents/access-token/',
    'Generate an access token of an agent, who is created when only an unknown address is given',
    {
      body: members,
      responses: { 200: 'The one active token of the agent' },
      answer({ service, company, body, nowMs }) {
        const found = findOrAddAgent(service, company, body, nowMs)
        if ('status' in found) return found
        const { agent, isNew } = found
        const isKept = body.force_new !== true && (agent.token?.expiresAtMs ?? nowMs) - nowMs >= RENEWAL_MS
        const fresh = { text: freshKey(service.random), expiresAtMs: nowMs + LIFETIME_MS }
        const token = isKept && agent.token !== undefined ? agent.token : fresh
        if (token === fresh) company.agents.set(agent.agent_id, { ...agent, token, lastLoginMs: nowMs })
        return ok({
          user_created: isNew,
          agent_token: token.text,
          expires_in: Math.floor((token.expiresAtMs - nowMs) / 1000),
          agent_id: agent.agent_id,
          agent_role: agent.role,
        })
      },
    },
  ),
]

function findOrAddAgent(
  service: Service,
  company: Company,
  asked: ValuesOf<typeof members>,
  nowMs: number,
): { readonly agent: Agent; readonly isNew: boolean } | Reply {
  if (asked.agent_id !== undefined) {
    const agent = company.agents.get(asked.agent_id)
    return agent === undefined ? unknownAgent() : { agent, isNew: false }
  }
  const { email: address, name } = asked
  if (address === undefined || name === undefined) {
    const reason = ['It is required when agent_id is absent.']
    return refused(400, {
      ...(address === undefined ? { email: reason } : {}),
      ...(name === undefined ? { name: reason } : {}),
    })
  }
  const known = findAgentByEmail(company, address)
  if (known !== undefined) return { agent: known, isNew: false }
  const refusal = refuseAgent(company, 'email', address)
  if (refusal !== undefined) return refusal
  const added = { agent_name: name, agent_email: address, role: asked.role, lastLoginMs: nowMs }
  return { agent: addAgent(service, company, added), isNew: true }
}

const LIFETIME_MS = 86_400 * 1000
/** With less time left a token is renewed (spec 3). */
const RENEWAL_MS = 5 * 60 * 1000
