import { eachPage, link, type PageLinks } from './paging.ts'
import type { CallOptions, Query } from './request.ts'
import type { Send } from './send.ts'
import { type Session, session } from './sessions.ts'
import { listOf, record } from './shape.ts'

/** A session of the past, or one that runs. It has the fields of a session; never a leader link. */
export type HistoryItem = Session

export interface HistoryPage extends PageLinks {
  readonly results: readonly HistoryItem[]
}

/** All optional, and all must hold. `null` finds sessions that have none. */
export interface HistoryFilter {
  readonly active_session?: boolean | undefined
  readonly agent_id?: number | string | null | undefined
  /** Unique among active sessions only: with `active_session: true` it finds the one that runs. */
  readonly pin?: string | null | undefined
  /** Sent once for each tag. */
  readonly tags?: readonly string[] | null | undefined
  /** Seconds. */
  readonly min_duration?: number | undefined
  /** Seconds. */
  readonly max_duration?: number | undefined
  /** The earliest start, itself included. A string is ISO 8601 and says its time zone. */
  readonly min_date?: Date | string | undefined
  /** The end of the range of starts, itself excluded: ranges that touch share no session. */
  readonly max_date?: Date | string | undefined
}

/** Spec 4.7. */
export interface History {
  /** Every session that matches; pages are asked for as the loop reaches them. */
  list(filter?: HistoryFilter, options?: CallOptions): AsyncGenerator<HistoryItem, void, undefined>
  /** The same, a page at a time. */
  pages(filter?: HistoryFilter, options?: CallOptions): AsyncGenerator<HistoryPage, void, undefined>
}

export function toHistory(send: Send, root: string): History {
  const pages: History['pages'] = (filter = {}, options = {}) =>
    eachPage(send, root, { path: '/history/', query: toQuery(filter), shape: historyPage }, options)
  return {
    pages,
    list: async function* (filter, options) {
      for await (const { results } of pages(filter, options)) yield* results
    },
  }
}

/** Picks the documented filters: what else a caller's object holds is nobody's business. */
function toQuery(filter: HistoryFilter): Query {
  const { active_session, agent_id, pin, tags, min_duration, max_duration, min_date, max_date } = filter
  return { active_session, agent_id, pin, tags, min_duration, max_duration, min_date, max_date }
}

const historyPage = record<HistoryPage>(['results'], {
  next: link,
  previous: link,
  results: listOf(session),
})
