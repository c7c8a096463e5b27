import type { HistoryItem } from '../../api/history.ts'

export const HISTORY_FORMATS = ['ndjson', 'csv'] as const

export type HistoryFormat = (typeof HISTORY_FORMATS)[number]

function toCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${withoutFormula(text).replaceAll('"', '""')}"`
}

/** A spreadsheet runs a cell that begins like a formula, also in full-width signs: a leading apostrophe makes it text. */
function withoutFormula(text: string): string {
  return /^(?:\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n])/.test(text) ? `'${text}` : text
}

const COLUMNS = [
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

/** How each format writes sessions: what comes before the first one, and the line of each. */
export const HISTORY_WRITINGS = {
  /** As received, one JSON object per line. */
  ndjson: { head: '', toLine: (item: HistoryItem) => `${JSON.stringify(item)}\n` },
  /** RFC 4180, every text in quotes. Lists and objects are JSON, null is empty. Undocumented fields are left out. */
  csv: {
    head: `${COLUMNS.join(',')}\r\n`,
    toLine: (item: HistoryItem) => `${COLUMNS.map((name) => toCell(item[name])).join(',')}\r\n`,
  },
} satisfies Readonly<Record<HistoryFormat, object>>
