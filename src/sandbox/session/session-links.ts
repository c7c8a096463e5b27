import type { Company } from '../state/company.ts'
import { findAgentByToken, type Service } from '../state/service.ts'
import { isActive, type Participant, type Session } from '../state/session.ts'
import { closeUnopened, findOwned, joinSession, type OwnedSession } from '../state/sessions.ts'

/** Whether the path is one of the links that the API returns. */
export function isSessionLink(path: string): boolean {
  return LINK.test(path) || IMAGE.test(path)
}

/**
 * Answers a link of a session: the leader's or the follower's joins it and redirects to a window, the address of a screenshot
 * returns an image. **Ours:** with `?agent_token=` the token's agent joins.
 *
 * @param query of the request-target
 */
export function answerSessionLink(
  method: string,
  path: string,
  query: URLSearchParams,
  service: Service,
  nowMs: number,
): Response {
  if (method !== 'GET') return text(405, 'A link is opened with GET.', { Allow: 'GET' })
  closeUnopened(service, nowMs)
  const [, linkId = '', role] = LINK.exec(path) ?? []
  const [, imageId = '', number] = IMAGE.exec(path) ?? []
  const owned = findOwned(service, linkId === '' ? imageId : linkId)
  if (owned === undefined) return text(404, REFUSALS['no-session'].line)
  if (number !== undefined) return image(owned.session, number)
  const join = joinAs(
    service,
    owned,
    role === 'leader' ? 'leader' : 'follower',
    query.get('agent_token'),
    nowMs,
  )
  if (typeof join === 'string') return text(REFUSALS[join].status, REFUSALS[join].line)
  return text(303, 'Joined.', { Location: join.path })
}

/** Why nobody joined. */
export type JoinRefusal = 'no-session' | 'over' | 'full' | 'unknown-token'

export interface Join {
  readonly session: Session
  readonly participant: Participant
  /** Of the new participant's window. */
  readonly path: string
}

/**
 * Lets a visitor, or the agent of a token, join a session.
 *
 * @returns who joined, or why nobody did
 */
export function joinAs(
  service: Service,
  owned: OwnedSession,
  role: Participant['role'],
  agentToken: string | null,
  nowMs: number,
): Join | JoinRefusal {
  if (!isActive(owned.session)) return 'over'
  if (owned.session.participants.length >= MOST_PARTICIPANTS) return 'full'
  const agentId = agentToken === null ? undefined : agentIdOf(owned.company, agentToken, nowMs)
  if (agentId === 'unknown') return 'unknown-token'
  const join = joinSession(service, owned, role, agentId, nowMs)
  return { ...join, path: windowPath(join.session, join.participant) }
}

/** The path of a participant's window. */
export function windowPath({ id }: Session, participant: Participant): string {
  return `/session/${id}/windows/${participant.id}`
}

/** Nobody is known to leave, so this limits how often anybody may join. */
const MOST_PARTICIPANTS = 100

/** The status and text of each refusal. */
export const REFUSALS = {
  'no-session': { status: 404, line: 'There is no such session.' },
  over: { status: 410, line: 'The session is over.' },
  full: { status: 409, line: `The session has ${MOST_PARTICIPANTS} participants, and takes no more.` },
  'unknown-token': {
    status: 403,
    line: 'The agent token is not the active token of an agent of this account.',
  },
} as const satisfies Readonly<Record<JoinRefusal, { readonly status: number; readonly line: string }>>

function agentIdOf(company: Company, agentToken: string, nowMs: number): number | 'unknown' {
  return findAgentByToken(company, agentToken, nowMs)?.id ?? 'unknown'
}

function image({ formattedId, screenshots }: Session, number: string): Response {
  if (screenshots === undefined) return text(404, 'There is no such screenshot.')
  const width = screenshots.widthPixels
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" viewBox="0 0 320 180">
  <rect width="320" height="180" fill="#dfe7ec"/>
  <text x="160" y="90" text-anchor="middle" font-family="sans-serif" font-size="14">Stand-in ${formattedId}, image ${number}</text>
</svg>
`
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' } })
}

function text(status: number, line: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${line}\n`, { status, headers: { 'Cache-Control': 'no-store', ...headers } })
}

const LINK = /^\/session\/([0-9a-z]+)\/(leader|follower)$/
const IMAGE = /^\/screenshot\/([0-9a-z]+)\/(\d{1,15})\.svg$/
