import { NOT_STORED } from '../rest/reply.ts'
import { findAgentByToken } from '../state/company.ts'
import type { Service } from '../state/service.ts'
import { isActive, isLed, type Participant, type Session } from '../state/session.ts'
import { joinSession } from '../state/sessions.ts'
import type { Arrival } from '../wire/arrival.ts'

/**
 * Answers a link of a session that the API returned: joins it, or shows a screenshot; `undefined` for any other path.
 * **Ours:** with `?agent_token=` the token's agent joins.
 */
export function answerSessionLink(arrival: Arrival, service: Service, nowMs: number): Response | undefined {
  const link = LINK.exec(arrival.path)?.groups
  if (link === undefined) return undefined
  if (arrival.method !== 'GET') return text(405, 'A link is opened with GET.', { Allow: 'GET' })
  const session = service.sessions.get(link.id ?? link.imageOf ?? '')
  if (session !== undefined && link.number !== undefined) return image(session, link.number)
  // **Ours:** a session has one leader; whoever opens the leader's link later follows.
  const role = link.role === 'leader' && session !== undefined && !isLed(session) ? 'leader' : 'follower'
  const join = joinAs(session, role, arrival.query.get('agent_token') ?? undefined, nowMs)
  if ('status' in join) return text(join.status, join.line)
  return text(303, 'Joined.', { Location: join.participant.path })
}

/** Lets a visitor, or the agent of a token, join a session, unless there is none. */
export function joinAs(
  session: Session | undefined,
  role: Participant['role'],
  agentToken: string | undefined,
  nowMs: number,
) {
  if (session === undefined) {
    return refuse(404, 'pin', 'There is no such session.', 'A PIN is valid only while its session runs.')
  }
  if (!isActive(session)) return refuse(410, 'pin', 'The session is over.')
  const agent = agentToken === undefined ? undefined : findAgentByToken(session.company, agentToken, nowMs)
  if (agentToken !== undefined && agent === undefined) {
    const line = 'The agent token is not the active token of an agent of this account.'
    return refuse(403, 'agent_token', line, 'Generate a new one, or leave it out to watch as a visitor.')
  }
  return { session, participant: joinSession(session, role, agent?.agent_id, nowMs) }
}

export type JoinRefusal = ReturnType<typeof refuse>

/** Of a call the wrong `field`; for people a `hint` what to do. */
function refuse(status: 403 | 404 | 410, field: 'pin' | 'agent_token', line: string, hint?: string) {
  return { status, field, line, hint }
}

function image({ formattedId, screenshots }: Session, number: string): Response {
  if (screenshots === undefined) return text(404, 'There is no such screenshot.')
  const width = screenshots.widthPixels
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" viewBox="0 0 320 180">
  <rect width="320" height="180" fill="#dfe7ec"/>
  <text x="160" y="90" text-anchor="middle" font-family="sans-serif" font-size="14">Stand-in ${formattedId}, image ${number}</text>
</svg>
`
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml', ...NOT_STORED } })
}

function text(status: number, line: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${line}\n`, { status, headers: { ...NOT_STORED, ...headers } })
}

const LINK =
  /^\/session\/(?<id>[0-9a-z]+)\/(?<role>leader|follower)$|^\/screenshot\/(?<imageOf>[0-9a-z]+)\/(?<number>\d{1,15})\.svg$/
