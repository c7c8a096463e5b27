import { pageOf } from './answer.ts'
import { eachItem, eachPage, type PageLinks, type PagingOptions } from './paging.ts'
import type { Query } from './request.ts'
import type { Send } from './send.ts'
import { IDS, type Session } from './sessions.ts'

/** A past or running session. It has the fields of a session and no leader link. */
export type HistoryItem = Session

export interface HistoryPage extends PageLinks {
  readonly results: readonly HistoryItem[]
}

/** All are optional; a session has to match all that are given. `null` finds sessions without a value. */
export interface HistoryFilter {
  readonly active_session?: boolean | undefined
  readonly agent_id?: number | string | null | undefined
  /** Unique among active sessions only: add `active_session: true` to find a running session. */
  readonly pin?: string | null | undefined
  /** Sent as one parameter per tag. */
  readonly tags?: readonly string[] | null | undefined
  /** Seconds. */
  readonly min_duration?: number | undefined
  /** Seconds. */
  readonly max_duration?: number | undefined
  /** The earliest start, inclusive. A string is ISO 8601 with a time zone. */
  readonly min_date?: Date | string | undefined
  /** The end of the range of starts, exclusive: adjacent ranges share no session. */
  readonly max_date?: Date | string | undefined
}

/** Spec 4.7. */
export interface History {
  /** Every session that matches; pages are fetched as the loop reaches them. */
  list(filter?: HistoryFilter, options?: PagingOptions): AsyncGenerator<HistoryItem, void, undefined>
  /** The same, a page at a time. */
  pages(filter?: HistoryFilter, options?: PagingOptions): AsyncGenerator<HistoryPage, void, undefined>
}

export function createHistory(send: Send): History {
  const pages: History['pages'] = (filter = {}, call) =>
    eachPage(send, '/history/', pageOf<HistoryPage>(IDS), buildQuery(filter), call, MOST_BYTES)
  return { pages, list: (filter, call) => eachItem(pages(filter, call)) }
}

/** Of a page. */
const MOST_BYTES = 8_388_608

/** Sends the documented filters only, whatever else the caller's object has. */
function buildQuery(filter: HistoryFilter): Query {
  const { active_session, agent_id, pin, tags, min_duration, max_duration, min_date, max_date } = filter
  return { active_session, agent_id, pin, tags, min_duration, max_duration, min_date, max_date }
}
