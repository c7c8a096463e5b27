import { escapeControls } from '../text/escape.ts'
import type { Paint, Style } from '../text/paint.ts'

type Members = Readonly<Record<string, unknown>>

/** Formats a line of the log for a person at a terminal: the time, what happened, the status, and the rest by name. */
export function formatForPerson(line: string, paint: Paint): string {
  const { level, time, msg, ...members } = JSON.parse(line, (_name, value) =>
    typeof value === 'string' ? escapeControls(value) : value,
  )
  const at = new Date(time).toTimeString().slice(0, 8)
  const what =
    msg === 'exchange' ? formatExchange(members, paint) : formatEvent(level, tell(msg, members), paint)
  return `${paint('dim', at)}  ${what}\n`
}

function formatExchange(members: Members, paint: Paint): string {
  const { status, method, point = 'no point', outcome, code, durationMs, id } = members
  const figure = Number(status ?? 0)
  const style = figure >= 500 ? 'red' : figure >= 400 || figure === 0 ? 'yellow' : 'green'
  const text = `${paint(style, String(status ?? '---'))}  ${method} ${point}  ${paint('dim', `${durationMs} ms`)}`
  if (outcome === 'ok') return text
  return `${text}  ${code === undefined ? outcome : `${outcome} ${code}`}  ${paint('dim', `id ${id}`)}`
}

function formatEvent(level: string, [what, members]: Told, paint: Paint): string {
  const title = level in STYLES ? paint(STYLES[level] ?? 'bold', `${level}: ${what}`) : paint('bold', what)
  const rest = Object.entries(members).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  return rest.length === 0 ? title : `${title}  ${paint('dim', rest.join('  '))}`
}

type Told = readonly [what: string, members: Members]

/** The start says which address to open first: what the point itself answers. */
function tell(msg: string, members: Members): Told {
  if (msg !== 'serving' || !Array.isArray(members.points)) return [msg, members]
  const [first, ...more] = members.points
  const others = more.length === 0 ? '' : `, and ${Number(members.count) - 1} more`
  return [`Open ${first} to see whether all arrives${others}`, {}]
}

const STYLES: Readonly<Record<string, Style>> = { warn: 'yellow', error: 'red', fatal: 'red' }
