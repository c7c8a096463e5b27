import { boolean, email, filledText, integer, optional, type ValuesOf } from '../schema/schema.ts'
import type { Agent, Company } from '../state/company.ts'
import { freshKey } from '../state/fresh.ts'
import { addAgent, findAgentByEmail, type Service } from '../state/service.ts'
import { refuseAgent, role, unknownAgent } from './agents.ts'
import { ok, type Reply, refused } from './reply.ts'
import { defineRoute, type Route } from './route.ts'

const members = {
  agent_id: optional(integer(1)),
  email: optional(email),
  name: optional(filledText),
  role: optional(role),
  force_new: optional(boolean),
} as const

/** Access tokens of agents (spec 2.2 and 3). */
export const accessTokenRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/agents/access-token/',
    summary: 'Generate an access token of an agent, who is created when only an unknown address is given',
    body: members,
    responses: { 200: 'The one active token of the agent' },
    answer({ service, company, body, nowMs }) {
      const found = findOrAddAgent(service, company, body, nowMs)
      if ('status' in found) return found
      const renewal = body.force_new === true ? 'forced' : 'when-due'
      const { agent, token } = withToken(service, found.agent, renewal, nowMs)
      company.agents.set(agent.id, agent)
      return ok({
        user_created: found.isNew,
        agent_token: token.text,
        expires_in: Math.floor((token.expiresAtMs - nowMs) / 1000),
        agent_id: agent.id,
        agent_role: agent.role,
      })
    },
  }),
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
  const agent = addAgent(service, company, {
    name,
    email: address,
    role: asked.role ?? 'agent',
    isAvailable: true,
    lastLoginMs: nowMs,
  })
  return { agent, isNew: true }
}

/** The agent with a token that is valid for at least five minutes: the current one, or a new one. */
function withToken(
  { random }: Service,
  agent: Agent,
  renewal: 'forced' | 'when-due',
  nowMs: number,
): { readonly agent: Agent; readonly token: NonNullable<Agent['token']> } {
  const { token } = agent
  if (renewal === 'when-due' && token !== undefined && token.expiresAtMs - nowMs >= RENEWAL_MS) {
    return { agent, token }
  }
  const fresh = { text: freshKey(random), expiresAtMs: nowMs + LIFETIME_MS }
  return { agent: { ...agent, token: fresh, lastLoginMs: nowMs }, token: fresh }
}

const LIFETIME_MS = 86_400 * 1000
const RENEWAL_MS = 5 * 60 * 1000
