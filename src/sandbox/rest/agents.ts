import { type Agent, type Company, findAgentByEmail, role } from '../state/company.ts'
import {
  boolean,
  email,
  filledText,
  formatTimestamp,
  integer,
  optional,
  type ValuesOf,
} from '../state/schema.ts'
import { addAgent, freshKey, type Service } from '../state/service.ts'
import { notFound, refused } from './reply.ts'
import { itemOf, type Named, type Route, route } from './route.ts'

const find = ({ company, segments }: Named) => itemOf(company.agents, segments.AGENT_ID) ?? unknownAgent()

const tokenMembers = {
  agent_id: optional(integer(1)),
  email: optional(email),
  name: optional(filledText),
  role: optional(role),
  force_new: optional(boolean),
} as const

/** The agents of a company (spec 4.1) and their access tokens (spec 2.2 and 3). */
export const agentRoutes: readonly Route[] = [
  route('GET /agents/', {
    query: { free: optional(boolean) },
    answer: ({ company, query: { free } }) =>
      [...company.agents.values()]
        .filter((agent) => free === undefined || (agent.available && agent.online) === free)
        .map(toAgentBody),
  }),
  route('POST /agents/', {
    body: { username: filledText, agent_email: email, password: filledText, role: optional(role) },
    answer({ service, company, body, nowMs }) {
      const { username: agent_name, agent_email, role } = body
      const refusal = refuseAgent(company, 'agent_email', agent_email)
      if (refusal !== undefined) return refusal
      const agent = addAgent(service, company, { agent_name, agent_email, role, lastLoginMs: nowMs })
      return { agent_id: String(agent.agent_id) }
    },
  }),
  route('GET /agents/{AGENT_ID}/', { find, answer: ({ subject }) => toAgentBody(subject) }),
  route('PUT /agents/{AGENT_ID}/', {
    find,
    body: {
      username: optional(filledText),
      agent_email: optional(email),
      available: optional(boolean),
      role: optional(role),
    },
    answer({ company, subject: agent, body, warnings }) {
      const namesake = findAgentByEmail(company, body.agent_email ?? agent.agent_email)
      if (namesake !== undefined && namesake !== agent) return takenEmail('agent_email')
      agent.agent_name = body.username ?? agent.agent_name
      agent.agent_email = body.agent_email ?? agent.agent_email
      agent.available = body.available ?? agent.available
      // **Ours:** "default agent" (spec 4.1) applies to a change too.
      agent.role = body.role ?? 'agent'
      if (body.role === undefined)
        warnings.push('Without a role the agent becomes a regular one, as we read the document')
      const { agent_name, agent_id, agent_email, available } = agent
      return { agent_name, agent_id, agent_email, available }
    },
  }),
  route('DELETE /agents/{AGENT_ID}/', {
    find,
    answer({ company, subject: { agent_id } }) {
      company.agents.delete(agent_id)
      return { response: `Agent ${agent_id} was deleted.` }
    },
  }),
  route('POST /agents/access-token/', {
    body: tokenMembers,
    answer({ service, company, body, nowMs }) {
      const known = company.agents.size
      const agent = findOrAddAgent(service, company, body, nowMs)
      if (agent instanceof Response) return agent
      const isKept = body.force_new !== true && (agent.token?.expiresAtMs ?? nowMs) - nowMs >= RENEWAL_MS
      if (!isKept || agent.token === undefined) {
        agent.token = { text: freshKey(), expiresAtMs: nowMs + LIFETIME_MS }
        agent.lastLoginMs = nowMs
      }
      return {
        user_created: company.agents.size > known,
        agent_token: agent.token.text,
        expires_in: Math.floor((agent.token.expiresAtMs - nowMs) / 1000),
        agent_id: agent.agent_id,
        agent_role: agent.role,
      }
    },
  }),
]

function unknownAgent(): Response {
  return notFound('agent_id', 'agent with this id')
}

/** The refusal if no agent with this address may be added. */
function refuseAgent(company: Company, emailField: string, address: string): Response | undefined {
  if (findAgentByEmail(company, address) !== undefined) return takenEmail(emailField)
  if (company.agents.size < company.agent_count) return undefined
  return refused(400, { agent_count: ['The account has as many agents as it may have.'] })
}

function takenEmail(field: string): Response {
  return refused(400, { [field]: ['It is the address of another agent.'] })
}

function toAgentBody({ agent_id, agent_name, agent_email, lastLoginMs, role, available }: Agent) {
  return { agent_id, agent_name, agent_email, last_login: formatTimestamp(lastLoginMs), role, available }
}

function findOrAddAgent(
  service: Service,
  company: Company,
  { agent_id, email: agent_email, name: agent_name, role }: ValuesOf<typeof tokenMembers>,
  nowMs: number,
): Agent | Response {
  if (agent_id !== undefined) return company.agents.get(agent_id) ?? unknownAgent()
  if (agent_email === undefined || agent_name === undefined) {
    const reason = ['It is required when agent_id is absent.']
    return refused(400, {
      ...(agent_email === undefined ? { email: reason } : {}),
      ...(agent_name === undefined ? { name: reason } : {}),
    })
  }
  return (
    findAgentByEmail(company, agent_email) ??
    refuseAgent(company, 'email', agent_email) ??
    addAgent(service, company, { agent_name, agent_email, role, lastLoginMs: nowMs })
  )
}

const LIFETIME_MS = 86_400 * 1000
/** With less time left a token is renewed (spec 3). */
const RENEWAL_MS = 5 * 60 * 1000
