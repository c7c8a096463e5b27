import { json } from './answer.ts'
import { type CallOptions, type Query, requireId } from './request.ts'
import {
  anything,
  type Fields,
  flag,
  integer,
  integerId,
  listOf,
  nullable,
  record,
  text,
  textId,
} from './schema.ts'
import type { Send } from './send.ts'
import { type SessionOptions, sessionOptions } from './session-options.ts'

const sessionFields = {
  /** The same as `session_id`. */
  id: textId,
  session_id: textId,
  /** Three groups of three digits, joined by hyphens. */
  formatted_id: text,
  /** The agent who joined or started it; null without one. */
  agent_id: nullable(integerId),
  /** The link that a follower opens. */
  follower_link: text,
  /** The server that runs the session, in installations with several. */
  cobro_server_name: text,
  /** ISO 8601, UTC, microseconds. */
  start_time: text,
  /** Seconds; null until it ends. */
  duration: nullable(integer),
  /** ISO 8601, UTC, microseconds; null until it ends. */
  end_time: nullable(text),
  /** Absent from the answer of `create`. */
  participant_num: integer,
  /** Whether the session was technically successful; null while unknown. Absent from the answer of `create`. */
  successful_start: nullable(flag),
  queue_id: integerId,
  /** Four digits to join with, unique among active sessions; null without one. */
  pin: nullable(text),
  /** Whether it was put into a waiting queue. */
  queued: flag,
  /** `HH:MM:SS`; null if it never was queued. */
  waiting_time: nullable(text),
  start_url: text,
  /** A string that holds a JSON object: data about the user who joined. */
  meta: text,
  tags: listOf(text),
  videochat_archive_id: nullable(text),
  /** Newer than the other fields; documented only as null. */
  space: anything,
  /** What the session was created with. */
  options: sessionOptions,
}

/**
 * A co-browsing session (spec 2.3). It has no state field: its state follows from `queued`, `successful_start`, `end_time`
 * and `duration`.
 */
export type Session = Fields<typeof sessionFields, 'participant_num' | 'successful_start' | 'space'>

export interface CreatedSession extends Session {
  /** The link that the leader opens, within 2 minutes; otherwise the session is closed (spec 3). */
  readonly leader_link: string
}

/** What a reseller sees of a client's session. */
export type ClientSession = Pick<
  Session,
  'session_id' | 'agent_id' | 'follower_link' | 'start_time' | 'duration'
>

/** All are optional; a session has to match all that are given. */
export interface SessionFilter {
  readonly active_session?: boolean | undefined
  readonly agent_id?: number | string | undefined
  readonly year?: number | undefined
  /** 1 to 12. */
  readonly month?: number | undefined
  /** Documented as a number; a string keeps leading zeros. Unique among active sessions only. */
  readonly pin?: number | string | undefined
  /** Sent as one comma-separated list, so a tag may not contain a comma. */
  readonly tags?: readonly string[] | undefined
}

/** `active_session` is false by default. */
export type ClientSessionFilter = Pick<SessionFilter, 'active_session' | 'year' | 'month'>

/** What to create a session with. Any session option may be added. */
export type NewSession = SessionOptions & {
  /** The page to co-browse. */
  readonly url: string
  readonly agent_id?: number | undefined
  readonly tags?: readonly string[] | undefined
  /** Don't queue the session, as may happen with a widget key. Default: false. */
  readonly skip_queue?: boolean | undefined
}

/** Spec 4.2. */
export interface Sessions {
  list(filter?: SessionFilter, options?: CallOptions): Promise<readonly Session[]>
  /** For resellers: sessions of one client. */
  listOfClient(
    clientKey: string,
    filter?: ClientSessionFilter,
    options?: CallOptions,
  ): Promise<readonly ClientSession[]>
  /** Unless the leader link is opened within 2 minutes, the service closes the session (spec 3). */
  create(session: NewSession, options?: CallOptions): Promise<CreatedSession>
  /** @param id the session's id, formatted or not */
  get(id: string, options?: CallOptions): Promise<Session>
  /** Ends it; `end_time` and `duration` of the answer are filled in. */
  end(id: string, options?: CallOptions): Promise<Session>
}

export function createSessions(send: Send): Sessions {
  return {
    list: async (filter = {}, call) =>
      send('GET /sessions/', json(listOf(session)), call, { query: buildQuery(filter) }),
    listOfClient: async (clientKey, { active_session, year, month } = {}, call) => {
      const query = { clientkey: requireId(clientKey, 'client key'), active_session, year, month }
      return send('GET /sessions/', json(listOf(clientSession)), call, { query })
    },
    create: (body, call) => send('POST /sessions/', json(createdSession), call, { body }),
    get: (id, call) => send('GET /sessions/{ID}/', json(session), call, { id }),
    end: (id, call) => send('POST /sessions/{ID}/end/', json(session), call, { id }),
  }
}

/** @throws RangeError for a tag with a comma, which the service would read as two */
function buildQuery({ active_session, agent_id, year, month, pin, tags }: SessionFilter): Query {
  if (tags?.some((tag) => tag.includes(','))) throw new RangeError('A tag of the filter contains a comma')
  const list = tags === undefined || tags.length === 0 ? undefined : tags.join(',')
  return { active_session, agent_id, year, month, pin, tags: list }
}

/** A session; items of the history have the same fields. */
export const session = record<Session>(['session_id'], sessionFields)

const createdSession = record<CreatedSession>(['session_id', 'leader_link'], {
  ...sessionFields,
  leader_link: text,
})

const clientSession = record<ClientSession>(['session_id'], sessionFields)
