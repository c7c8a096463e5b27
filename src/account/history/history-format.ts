import type { HistoryItem } from '../../api/history.ts'

export const historyFormats = ['ndjson', 'csv'] as const

export type HistoryFormat = (typeof historyFormats)[number]

/** How a format writes sessions. */
export interface HistoryWriting {
  /** What comes before the first session. */
  readonly head: string
  toLine(item: HistoryItem): string
}

/** Each session as received, one JSON object per line. */
const ndjson: HistoryWriting = { head: '', toLine: (item) => `${JSON.stringify(item)}\n` }

/**
 * RFC 4180: a header, lines that end with CR LF, every text in quotes. Lists and objects are JSON, null is empty.
 * Undocumented fields are left out.
 */
const csv: HistoryWriting = {
  get head() {
    return `${columns.join(',')}\r\n`
  },
  toLine: (item) => `${columns.map((name) => toCell(item[name])).join(',')}\r\n`,
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${withoutFormula(text).replaceAll('"', '""')}"`
}

/**
 * A spreadsheet runs a cell that begins like a formula, and a visitor may have written it: a leading apostrophe makes it
 * text. Full-width signs count, and so does white space before them.
 */
function withoutFormula(text: string): string {
  return /^(?:\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n])/.test(text) ? `'${text}` : text
}

const columns = [
  'session_id',
  'id',
  'formatted_id',
  'agent_id',
  'start_time',
  'end_time',
  'duration',
  'participant_num',
  'successful_start',
  'queued',
  'waiting_time',
  'queue_id',
  'pin',
  'start_url',
  'follower_link',
  'cobro_server_name',
  'tags',
  'meta',
  'videochat_archive_id',
  'space',
  'options',
] as const satisfies readonly (keyof HistoryItem)[]

export const historyWritings: Readonly<Record<HistoryFormat, HistoryWriting>> = { ndjson, csv }
