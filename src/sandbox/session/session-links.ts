import { findAgentByToken, type Service } from '../state/service.ts'
import { isActive, isLed, type Participant, type Session } from '../state/session.ts'
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
  if (owned === undefined) return text(NO_SESSION.status, NO_SESSION.line)
  if (number !== undefined) return image(owned.session, number)
  // **Ours:** a session has one leader; whoever opens the leader's link later follows.
  const asWhom = role === 'leader' && !isLed(owned.session) ? 'leader' : 'follower'
  const join = joinAs(service, owned, asWhom, query.get('agent_token') ?? undefined, nowMs)
  if ('status' in join) return text(join.status, join.line)
  return text(303, 'Joined.', { Location: join.path })
}

export interface JoinRefusal {
  readonly status: 403 | 404 | 409 | 410
  /** The field of a call to which it belongs. */
  readonly field: 'pin' | 'agent_token'
  readonly line: string
  /** What to do, for people. */
  readonly hint?: string
}

export interface Join {
  readonly session: Session
  readonly participant: Participant
  /** Of the new participant's window. */
  readonly path: string
}

/**
 * Lets a visitor, or the agent of a token, join a session.
 *
 * @returns the new participant, or the refusal
 */
export function joinAs(
  service: Service,
  owned: OwnedSession,
  role: Participant['role'],
  agentToken: string | undefined,
  nowMs: number,
): Join | JoinRefusal {
  if (!isActive(owned.session)) return OVER
  if (owned.session.participants.length >= MOST_PARTICIPANTS) return FULL
  const agent = agentToken === undefined ? undefined : findAgentByToken(owned.company, agentToken, nowMs)
  if (agentToken !== undefined && agent === undefined) return UNKNOWN_TOKEN
  const join = joinSession(service, owned, role, agent?.agent_id, nowMs)
  return { ...join, path: windowPath(join.session, join.participant) }
}

export function windowPath({ id }: Session, participant: Participant): string {
  return `/session/${id}/windows/${participant.id}`
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

/** Participants never leave, so this limits how many may join in all. */
const MOST_PARTICIPANTS = 100

export const NO_SESSION: JoinRefusal = {
  status: 404,
  field: 'pin',
  line: 'There is no such session.',
  hint: 'A PIN is valid only while its session runs.',
}

const OVER: JoinRefusal = { status: 410, field: 'pin', line: 'The session is over.' }

const FULL: JoinRefusal = {
  status: 409,
  field: 'pin',
  line: `The session has ${MOST_PARTICIPANTS} participants, the most that it may have.`,
}

const UNKNOWN_TOKEN: JoinRefusal = {
  status: 403,
  field: 'agent_token',
  line: 'The agent token is not the active token of an agent of this account.',
  hint: 'Generate a new one, or leave it out to watch as a visitor.',
}

const LINK = /^\/session\/([0-9a-z]+)\/(leader|follower)$/
const IMAGE = /^\/screenshot\/([0-9a-z]+)\/(\d{1,15})\.svg$/
