import { queryBoolean } from '../schema/query.ts'
import { boolean, email, filledText, oneOf, optional } from '../schema/schema.ts'
import { toTimestamp } from '../schema/timestamp.ts'
import type { Agent, Company } from '../state/company.ts'
import { addAgent, findAgentByEmail } from '../state/service.ts'
import { full, notFound, ok, type Reply, refused } from './reply.ts'
import { defineRoute, itemOf, type Named, type Route } from './route.ts'

/** Roles of an agent (spec 2.1). */
export const role = oneOf('admin', 'manager', 'agent')

const one = {
  path: '/agents/{AGENT_ID}/',
  find: ({ company, segments }: Named) => itemOf(company.agents, segments.AGENT_ID) ?? unknownAgent(),
}

/** The agents of a company (spec 4.1). */
export const agentRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/agents/',
    summary: 'List the agents',
    query: { free: optional(queryBoolean) },
    responses: { 200: 'The agents' },
    answer: ({ company, query: { free } }) =>
      ok(
        [...company.agents.values()]
          .filter((agent) => free === undefined || isFree(agent) === free)
          .map(toAgentBody),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: '/agents/',
    summary: 'Create an agent',
    body: { username: filledText, agent_email: email, password: filledText, role: optional(role) },
    responses: { 200: 'The id of the agent, as a string' },
    answer({ service, company, body, nowMs }) {
      const refusal = refuseAgent(company, 'agent_email', body.agent_email)
      if (refusal !== undefined) return refusal
      const agent = addAgent(service, company, {
        name: body.username,
        email: body.agent_email,
        role: body.role ?? 'agent',
        isAvailable: true,
        lastLoginMs: nowMs,
      })
      return ok({ agent_id: String(agent.id) })
    },
  }),
  defineRoute({
    method: 'GET',
    ...one,
    summary: 'Read an agent',
    responses: { 200: 'The agent' },
    answer: ({ subject }) => ok(toAgentBody(subject)),
  }),
  defineRoute({
    method: 'PUT',
    ...one,
    summary: 'Change an agent; what is left out stays, but for the role, which then is agent',
    body: {
      username: optional(filledText),
      agent_email: optional(email),
      available: optional(boolean),
      role: optional(role),
    },
    responses: { 200: 'The agent, without its role and last login' },
    answer({ company, subject: agent, body }) {
      const namesake = findAgentByEmail(company, body.agent_email ?? agent.email)
      if (namesake !== undefined && namesake.id !== agent.id) return takenEmail('agent_email')
      const changed: Agent = {
        ...agent,
        name: body.username ?? agent.name,
        email: body.agent_email ?? agent.email,
        isAvailable: body.available ?? agent.isAvailable,
        // **Ours:** "default agent" (spec 4.1) applies to a change too.
        role: body.role ?? 'agent',
      }
      company.agents.set(agent.id, changed)
      const { agent_name, agent_id, agent_email, available } = toAgentBody(changed)
      return ok({ agent_name, agent_id, agent_email, available })
    },
  }),
  defineRoute({
    method: 'DELETE',
    ...one,
    summary: 'Delete an agent',
    responses: { 200: 'A confirmation' },
    answer({ company, subject: { id } }) {
      company.agents.delete(id)
      return ok({ response: `Agent ${id} was deleted.` })
    },
  }),
]

export function unknownAgent(): Reply {
  return notFound('agent_id', 'agent with this id')
}

/** The refusal if no agent with this address may be added. */
export function refuseAgent(company: Company, emailField: string, address: string): Reply | undefined {
  if (findAgentByEmail(company, address) !== undefined) return takenEmail(emailField)
  if (company.agents.size < company.agentLimit) return undefined
  return full('agents', 'agent_count')
}

function takenEmail(field: string): Reply {
  return refused(400, { [field]: ['It is the address of another agent.'] })
}

function isFree({ isAvailable, isOnline }: Agent): boolean {
  return isAvailable && isOnline
}

function toAgentBody(agent: Agent) {
  return {
    agent_id: agent.id,
    agent_name: agent.name,
    agent_email: agent.email,
    last_login: toTimestamp(agent.lastLoginMs),
    role: agent.role,
    available: agent.isAvailable,
  }
}
