import { type Location, type Problem, renderProblems } from '../config/problem.ts'
import { FAILURES } from '../forward/failure.ts'
import { escapeControls } from '../text/escape.ts'
import type { Paint, Style } from '../text/paint.ts'
import { count, wrap } from '../text/prose.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Formats a line of the log for a person at a terminal: the time, what happened, the status, and the rest in words.
 *
 * @param columns lines are broken between words before this width, so that a terminal breaks no URL
 */
export function formatForPerson(line: string, paint: Paint, columns = 80): string {
  const { level, time, msg, ...members } = JSON.parse(line, (_name, value) =>
    typeof value === 'string' ? escapeControls(value) : value,
  )
  const at = new Date(time).toTimeString().slice(0, 8)
  const { problems, ...others } = members
  const what = msg === 'exchange' ? formatExchange(others, paint) : formatEvent(level, msg, others, paint)
  // No line is broken at a no-break space.
  const [first = '', ...rest] = wrap(`${at}  `, what, columns).map((part) => part.replaceAll('\u00a0', ' '))
  const lines = [paint('dim', at) + first.slice(at.length), ...rest]
  return `${[...lines, ...(Array.isArray(problems) ? [formatProblems(problems)] : [])].join('\n')}\n`
}

function formatExchange(members: Members, paint: Paint): string {
  const { status, method, point = 'no point', outcome, code, durationMs, id, authority, scheme } = members
  const figure = Number(status ?? 0)
  const style = figure >= 500 ? 'red' : figure >= 400 || figure === 0 ? 'yellow' : 'green'
  const what = method === '' ? 'unreadable request' : `${method} ${point}`
  const text = `${paint(style, String(status ?? '---'))}  ${what}  ${paint('dim', `${durationMs}\u00a0ms`)}`
  if (outcome === 'ok') return text
  const title = Object.entries(FAILURES).find(([kind]) => kind === outcome)?.[1].title
  const why = [title && `${title}:`, outcome, code].filter(Boolean).join(' ')
  const arrived = authority === undefined ? '' : `  arrived for ${scheme ? `${scheme}://` : ''}${authority}`
  return `${text}  ${why}  ${paint('dim', `id\u00a0${id}`)}${arrived}`
}

function formatEvent(level: string, msg: string, members: Members, paint: Paint): string {
  const sentence = EVENTS.get(msg)?.(members)
  const what = sentence ?? msg
  const style = STYLES.get(level)
  const title = style === undefined ? paint('bold', what) : paint(style, `${level}: ${what}`)
  const rest = sentence === undefined ? Object.entries(members).map(formatMember).join(', ') : ''
  return rest === '' ? title : `${title}  ${paint('dim', rest)}`
}

/** The name in words: `limitedBy` becomes `limited by`. */
function formatMember([name, value]: readonly [string, unknown]): string {
  const words = name.replace(/Bytes$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  if (name.endsWith('Bytes')) return `${words} ${Math.round(Number(value) / 2 ** 20)} MiB`
  return `${words} ${Array.isArray(value) ? value.join(', ') : value}`
}

/** Formats problems as the start prints them, without what the log leaves out. */
function formatProblems(problems: readonly (Location & Pick<Problem, 'message'>)[]): string {
  const rendered = renderProblems(problems.map(({ message, ...location }) => ({ location, message })))
  return rendered.trimEnd().replace(/^/gm, '  ')
}

type Tell = (members: Members) => string

/** The usual events as sentences. The start says which address to open first: what the point itself answers. */
const EVENTS: ReadonlyMap<string, Tell> = new Map<string, Tell>([
  [
    'serving',
    ({ count: all, points }) => `Serving ${count(Number(all), 'point')}; verify at ${[points].flat()[0]}`,
  ],
  ['node', ({ node, openssl }) => `Node ${node}, OpenSSL ${openssl}`],
  [
    'listening',
    ({ listener, url }) => `${listener === 'admin' ? 'Health and metrics' : 'Listening'} at ${url}`,
  ],
  ['draining', () => 'Stopping, once the requests in flight are done'],
  ['stopped', ({ cut }) => `Stopped, ${cut === 0 ? 'no request' : count(Number(cut), 'request')} cut short`],
])

const STYLES: ReadonlyMap<string, Style> = new Map([
  ['warn', 'yellow'],
  ['error', 'red'],
  ['fatal', 'red'],
])
