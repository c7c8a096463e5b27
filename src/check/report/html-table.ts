import { toMarkup } from '../../text/escape.ts'
import type { CookieVerdict } from '../check.ts'
import type { Leg, Stop } from '../routes.ts'
import { areCookiesSent } from './conclusion.ts'
import type { Report } from './report.ts'

/** Which point carries which cookie, and which page calls which point: a column for each point, a mark in a cell, the worst first. */
export function renderTable(report: Report): string {
  const { cookies, routes } = report.result
  const sent = areCookiesSent(report) ? '✔ sent' : '✔ a browser would send it'
  const columns = worstFirst(routes.points)
  const shown = columns.slice(0, MOST_COLUMNS)
  const heads = shown.map(([, { label, state }]) => {
    const [host, path] = label
    return `<th scope="col" class="${state}">point ${toWrapped(path)}<br>${toWrapped(host)}${TROUBLES[state]}</th>`
  })
  const more = columns.length - shown.length
  const toRows = (
    stops: readonly Stop[],
    legs: Legs,
    tell: (at: number, stop: Stop) => readonly string[],
  ) => {
    const marks = new Map(legs.map(([row, column, state]) => [`${row} ${column}`, state]))
    const rows = worstFirst(stops).map(([at, stop]) => {
      const [what = '', detail = '', verdict] = tell(at, stop)
      const cells = shown.map(([column]) => renderMark(marks.get(`${at} ${column}`)))
      return `<tr class="${stop.state}"><th scope="row">${toWrapped(what)} <span class="extent">${toWrapped(detail)}</span></th><td class="verdict">${verdict}</td>${cells.join('')}</tr>`
    })
    const left = rows.length - MOST_ROWS
    const last = left > 0 ? [`<tr><th scope="row">and ${left} more</th><td></td></tr>`] : []
    return `<tbody>\n${[...rows.slice(0, MOST_ROWS), ...last].join('\n')}\n</tbody>`
  }
  const calling = new Set(routes.calls.map(({ from }) => from))
  const carries = routes.carries.map(({ from, to, state }) => [to, from, state] as const)
  const calls = routes.calls.map(({ from, to, state }) => [from, to, state] as const)
  return `<p class="extent"><span${shown.length > 4 ? '' : ' class="sideways"'}>Scroll it sideways.</span> ${more > 0 ? `And ${more} more points, which --format json lists. ` : ''}Of a cookie: ✔ the point receives it, ? uncertain, ✖ it is lost. Of a page: whether its call gets through.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Cookies by point"><table>
<thead><tr><th scope="col">Cookie, page</th><th scope="col">Sent?</th>${heads.join('')}</tr></thead>
${toRows(routes.cookies, carries, (at, { state }) => {
  const { name = '', domain, path, verdict = 'not-sent' } = cookies[at] ?? {}
  return [name, `${domain} ${path}`, judge(verdict, state, sent)]
})}
${toRows(routes.pages, calls, (at, { name }) => [name, 'page', calling.has(at) ? '' : 'calls no point'])}
</table></div>`
}

/** A browser breaks lines of a narrow column after an underscore, a dot or a slash. */
function toWrapped(text: string): string {
  return toMarkup(text).replace(/(?<=\S)[_./](?=\w)/g, '$&<wbr>')
}

type Legs = readonly (readonly [row: number, column: number, state: Leg['state']])[]

/** With their indexes. */
function worstFirst(stops: readonly Stop[]): readonly (readonly [index: number, stop: Stop])[] {
  return [...stops.entries()].sort(([, a], [, b]) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
}

function renderMark(state: Leg['state'] | undefined): string {
  return state === undefined ? '<td></td>' : `<td class="${state}">${LEG_SIGNS[state]}</td>`
}

/** What an error concerns is not shown as sent. */
function judge(verdict: CookieVerdict['verdict'], state: Stop['state'], sent: string): string {
  if (verdict === 'not-sent') return '✖ not sent'
  if (verdict === 'depends') return '? depends'
  return state === 'good' ? sent : '✖ sent only to failing points'
}

const ORDER = ['bad', 'unsure', 'good']

export const SIGNS: Readonly<Record<Stop['state'], string>> = { good: '✔', unsure: '?', bad: '✖' }

const TROUBLES: typeof SIGNS = { good: '', unsure: '<br>? uncertain', bad: '<br>✖ failing' }

const LEG_SIGNS: Readonly<Record<Leg['state'], string>> = { travels: '✔', depends: '?', broken: '✖' }

const MOST_COLUMNS = 24
const MOST_ROWS = 200
