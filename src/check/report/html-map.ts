import { toMarkup } from '../../text/escape.ts'
import { count } from '../../text/prose.ts'
import type { Leg, Routes, Stop } from '../routes.ts'
import { areCookiesSent } from './conclusion.ts'
import { renderTable, SIGNS } from './html-table.ts'
import type { Report } from './report.ts'

/** The routes of the cookies: a few as a map, with the table folded, many as a table. Marks repeat what colours say. */
export function renderRoutes(report: Report): string {
  const { routes } = report.result
  const { pages, points, cookies } = routes
  const table = renderTable(report)
  if (points.length > MOST_POINTS || cookies.length > MOST_COOKIES || pages.length > MOST_COOKIES)
    return table
  return `<figure class="map">
<div class="scroll" tabindex="0" role="group" aria-label="Map">${renderPicture(areCookiesSent(report) ? routes : { ...routes, cookies: cookies.map(toUnsure) })}</div>
<figcaption><span class="sideways">Scroll it sideways.</span> ${LEGEND}</figcaption>
</figure>
<details class="help"><summary>Show as a table</summary>
${table}
</details>`
}

/** What browsers would send, though nothing shows that it arrives. */
function toUnsure(cookie: Stop): Stop {
  return cookie.state === 'good' ? { ...cookie, state: 'unsure' } : cookie
}

function renderPicture(routes: Routes): string {
  const { rows, columns, legs } = layOut(routes)
  const heads = columns.map(({ x, title }) => `<text class="head" x="${x}" y="14">${title}</text>`)
  const stops = columns.flatMap((column) => column.stops)
  return `<svg viewBox="0 0 ${WIDTH} ${HEAD + rows * ROW_HEIGHT}" role="img" aria-label="${toMarkup(summarizeRoutes(routes))}">
${heads.join('')}
${legs.map(renderLine).join('\n')}
${stops.map(renderStop).join('\n')}
</svg>`
}

/** Pages, points and cookies in three columns, each centred vertically, and the legs between them. */
function layOut(routes: Routes) {
  const lists = [routes.pages, routes.points, routes.cookies]
  const rows = Math.max(1, ...lists.map(({ length }) => length))
  const columns = lists.map((list, column) => {
    const x = column * (BOX_WIDTH + (WIDTH - 3 * BOX_WIDTH) / 2)
    const top = HEAD + ((rows - list.length) * ROW_HEIGHT) / 2
    const stops = list.map((stop, row) => ({
      ...stop,
      x,
      y: top + row * ROW_HEIGHT,
      lines: stop.label.map(shorten),
    }))
    return { x, stops, title: COLUMNS[column] }
  })
  const connect = (legs: readonly Leg[], column: number) =>
    legs.flatMap(({ from, to, state }) => {
      const [start, end] = [columns[column]?.stops[from], columns[column + 1]?.stops[to]]
      if (start === undefined || end === undefined) return []
      const middle = BOX_HEIGHT / 2
      return [{ state, x1: start.x + BOX_WIDTH, y1: start.y + middle, x2: end.x, y2: end.y + middle }]
    })
  return { rows, columns, legs: [...connect(routes.calls, 0), ...connect(routes.carries, 1)] }
}

/** Keeps the beginning and the end, which say most. */
function shorten(text: string): string {
  return text.length <= 29 ? text : `${text.slice(0, 14)}…${text.slice(-14)}`
}

type Layout = ReturnType<typeof layOut>

function renderLine({ x1, y1, x2, y2, state }: Layout['legs'][number]): string {
  const bend = (x2 - x1) / 2
  const path = `<path class="${state}" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`
  if (state !== 'broken') return path
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2]
  return `${path}<circle class="gap" cx="${x}" cy="${y}" r="8"/><path class="cross" d="M${x - 4} ${y - 4}l8 8m0-8l-8 8"/>`
}

function renderStop({ x, y, name, lines, state }: Layout['columns'][number]['stops'][number]): string {
  const [first = '', second = ''] = lines
  return `<g class="${state}"><title>${toMarkup(name)}</title><rect x="${x + 0.5}" y="${y + 0.5}" width="${BOX_WIDTH - 1}" height="${BOX_HEIGHT - 1}" rx="6"/><text x="${x + 8}" y="${y + 17}">${toMarkup(first)}</text><text class="second" x="${x + 8}" y="${y + 32}">${toMarkup(second)}</text><text class="sign" x="${x + BOX_WIDTH - 7}" y="${y + 32}">${SIGNS[state]}</text></g>`
}

function summarizeRoutes({ pages, points, cookies, calls, carries }: Routes): string {
  const broken = [...calls, ...carries].filter(({ state }) => state === 'broken')
  const lost = cookies.filter(({ state }) => state === 'bad')
  return `Map from ${count(pages.length, 'page')} through ${count(points.length, 'point')} to ${count(cookies.length, 'cookie')}: ${count(broken.length, 'broken route')}, ${count(lost.length, 'cookie')} not sent. The table below says the same.`
}

const WIDTH = 960
const HEAD = 30
const BOX_WIDTH = 248
const BOX_HEIGHT = 42
const ROW_HEIGHT = 52

/** A map of more would be a tangle. */
const MOST_POINTS = 4
const MOST_COOKIES = 8

const COLUMNS = ['Pages', 'Points', 'Cookies'] as const

const LEGEND = `<span class="key travels">travels</span> <span class="key depends">uncertain</span> <span class="key broken">✖ broken</span>`
