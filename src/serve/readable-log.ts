import { type Location, type Problem, renderProblems } from '../config/problem.ts'
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
  const { status, method, point = 'no point', outcome, code, durationMs, id, authority, scheme } = members
  const figure = Number(status ?? 0)
  const style = figure >= 500 ? 'red' : figure >= 400 || figure === 0 ? 'yellow' : 'green'
  const what = method === '' ? 'unreadable request' : `${method} ${point}`
  const text = `${paint(style, String(status ?? '---'))}  ${what}  ${paint('dim', `${durationMs} ms`)}`
  if (outcome === 'ok') return text
  const arrived = authority === undefined ? '' : `  arrived for ${scheme ? `${scheme}://` : ''}${authority}`
  return `${text}  ${code === undefined ? outcome : `${outcome} ${code}`}  ${paint('dim', `id ${id}`)}${arrived}`
}

function formatEvent(level: string, [what, { problems, ...members }]: Told, paint: Paint): string {
  const style = STYLES.get(level)
  const title = style === undefined ? paint('bold', what) : paint(style, `${level}: ${what}`)
  const rest = Object.entries(members).map(([name, value]) =>
    name.endsWith('Bytes')
      ? `${name.slice(0, -5)} ${Math.round(Number(value) / 2 ** 20)} MiB`
      : `${name} ${Array.isArray(value) ? value.join(', ') : value}`,
  )
  const line = rest.length === 0 ? title : `${title}  ${paint('dim', rest.join('  '))}`
  return Array.isArray(problems) ? `${line}\n${formatProblems(problems)}` : line
}

/** Formats problems as the start prints them, without what the log leaves out. */
function formatProblems(problems: readonly (Location & Pick<Problem, 'message'>)[]): string {
  const rendered = renderProblems(problems.map(({ message, ...location }) => ({ location, message })))
  return rendered.trimEnd().replace(/^/gm, '  ')
}

type Told = readonly [what: string, members: Members]

/** The start says which address to open first: what the point itself answers. */
function tell(msg: string, members: Members): Told {
  if (msg !== 'serving' || !Array.isArray(members.points)) return [msg, members]
  const [first, ...more] = members.points
  const others = more.length === 0 ? '' : `, or one of ${Number(members.count) - 1} more,`
  return [`Open ${first}${others} to see whether everything arrives`, {}]
}

const STYLES: ReadonlyMap<string, Style> = new Map([
  ['warn', 'yellow'],
  ['error', 'red'],
  ['fatal', 'red'],
])
