import { listOf, record } from './answer.ts'
import { type CallOptions, type Query, requireId, withIntegerId } from './request.ts'
import type { Send } from './send.ts'
import { encodeOptions, type GivenOptions, type SessionOptions } from './session-options.ts'

/**
 * A co-browsing session (spec 2.3). Its state follows from `queued`, `successful_start`, `end_time`, `duration`.
 */
export interface Session {
  /** The same as `session_id`. */
  readonly id: string
  readonly session_id: string
  /** Three groups of three digits, joined by hyphens. */
  readonly formatted_id: string
  /** The agent who joined or started it; null without one. */
  readonly agent_id: number | null
  /** The link that a follower opens. */
  readonly follower_link: string
  /** The server that runs the session, in installations with several. */
  readonly cobro_server_name: string
  /** ISO 8601, UTC, microseconds. */
  readonly start_time: string
  /** Seconds; null until it ends. */
  readonly duration: number | null
  /** ISO 8601, UTC, microseconds; null until it ends. */
  readonly end_time: string | null
  readonly participant_num: number
  /** Whether the session was technically successful; null while unknown. */
  readonly successful_start: boolean | null
  readonly queue_id: number
  /** Four digits to join with, unique among active sessions; null without one. */
  readonly pin: string | null
  /** Whether it was put into a waiting queue. */
  readonly queued: boolean
  /** `HH:MM:SS`; null if it never was queued. */
  readonly waiting_time: string | null
  readonly start_url: string
  /** A string that holds a JSON object: data about the user who joined. */
  readonly meta: string
  readonly tags: readonly string[]
  readonly videochat_archive_id: string | null
  /** Newer than the other fields; documented only as null. */
  readonly space?: unknown
  /** What the session was created with. */
  readonly options: SessionOptions
}

/** A session before anybody has joined it. */
export interface CreatedSession extends Omit<Session, 'participant_num' | 'successful_start'> {
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
  readonly agent_id?: number | string | null | undefined
  readonly year?: number | undefined
  /** 1 to 12. */
  readonly month?: number | undefined
  /**
   * Documented as a number; a string keeps leading zeros. Unique among active sessions only. `null` finds sessions without
   * one, which the service documents for the history alone.
   */
  readonly pin?: number | string | null | undefined
  /** Sent as one comma-separated list, so a tag may not contain a comma. */
  readonly tags?: readonly string[] | undefined
}

/** `active_session` is false by default. */
export type ClientSessionFilter = Pick<SessionFilter, 'active_session' | 'year' | 'month'>

/** What to create a session with. Any session option may be added. */
export interface NewSession extends GivenOptions {
  /** The page to co-browse. */
  readonly url: string
  readonly agent_id?: number | string | undefined
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
      send('GET /sessions/', listOf<Session>(IDS), call, { query: buildQuery(filter) }),
    listOfClient: async (clientKey, { active_session, year, month } = {}, call) => {
      const query = { clientkey: requireId(clientKey, 'client key'), active_session, year, month }
      return send('GET /sessions/', listOf<ClientSession>(IDS), call, { query })
    },
    create: (given, call) =>
      send('POST /sessions/', createdSession, call, { body: withIntegerId(encodeOptions(given)) }),
    get: (id, call) => send('GET /sessions/{ID}/', session, call, { id }),
    end: (id, call) => send('POST /sessions/{ID}/end/', session, call, { id }),
  }
}

/** @throws RangeError for a tag with a comma, which the service would read as two */
function buildQuery({ active_session, agent_id, year, month, pin, tags }: SessionFilter): Query {
  if (tags?.some((tag) => tag.includes(','))) throw new RangeError('A tag of the filter contains a comma')
  const list = tags === undefined || tags.length === 0 ? undefined : tags.join(',')
  return { active_session, agent_id, year, month, pin, tags: list }
}

/** Of a session, and of an item of the history. */
export const IDS = { id: 'string', session_id: 'string', agent_id: 'integer', queue_id: 'integer' } as const

const session = record<Session>(IDS, 'session_id')

const createdSession = record<CreatedSession>(IDS, 'session_id')
