import { toMarkup } from '../../text/escape.ts'
import { count } from '../../text/prose.ts'
import type { Leg, Routes, Stop } from '../routes.ts'

/** The routes of the cookies as a map for wide screens and one for phones, and as tables. Marks repeat what colours say. */
export function renderMap(routes: Routes): string {
  return `<figure class="map">
${SIZES.map((size) => renderPicture(routes, size)).join('\n')}
<figcaption>${LEGEND}</figcaption>
</figure>
<details class="help"><summary>The same as a table</summary>
${renderTables(routes)}
</details>`
}

function renderPicture(routes: Routes, size: MapSize): string {
  const { rows, columns, legs } = layOut(routes, size)
  const height = HEAD + rows * size.rowHeight
  const isCut = columns.some(({ left }) => left > 0)
  const heads = columns.map(({ x }, column) => renderHead(x, 14, COLUMNS[column] ?? ''))
  const more = columns.map(({ x, left }) =>
    left === 0 ? '' : renderHead(x, height + 12, `and ${left} more`),
  )
  const stops = columns.flatMap((column) => column.stops)
  return `<svg class="${size.name}${legs.length > MOST_BOLD ? ' busy' : ''}" viewBox="0 0 ${size.width} ${isCut ? height + 24 : height}" role="img" aria-label="${toMarkup(summarizeRoutes(routes))}">
${heads.join('')}
${legs.map(renderLine).join('\n')}
${stops.map((stop) => renderStop(stop, size)).join('\n')}
${more.join('')}</svg>`
}

/** Pages, points and cookies in three columns, each centred vertically, and the legs between them. */
function layOut(routes: Routes, { width, boxWidth, rowHeight, characters }: MapSize) {
  const lists = [routes.pages, routes.points, routes.cookies]
  const rows = Math.max(1, ...lists.map(({ length }) => Math.min(length, MOST_ROWS)))
  const columns = lists.map((list, column) => {
    const x = column * (boxWidth + (width - 3 * boxWidth) / 2)
    const shown = list.slice(0, MOST_ROWS)
    const top = HEAD + ((rows - shown.length) * rowHeight) / 2
    const stops = shown.map((stop, row) => ({
      ...stop,
      x,
      y: top + row * rowHeight,
      lines: stop.label.map((line, index) => shorten(line, characters[index] ?? 0)),
    }))
    return { x, stops, left: list.length - shown.length }
  })
  const connect = (legs: readonly Leg[], column: number) =>
    legs.flatMap(({ from, to, state }) => {
      const [start, end] = [columns[column]?.stops[from], columns[column + 1]?.stops[to]]
      if (start === undefined || end === undefined) return []
      const middle = BOX_HEIGHT / 2
      return [{ state, x1: start.x + boxWidth, y1: start.y + middle, x2: end.x, y2: end.y + middle }]
    })
  return { rows, columns, legs: [...connect(routes.calls, 0), ...connect(routes.carries, 1)] }
}

/** Keeps the beginning and the end, which say most. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const tail = Math.floor((most - 1) / 2)
  return `${text.slice(0, most - 1 - tail)}…${text.slice(-tail)}`
}

type Layout = ReturnType<typeof layOut>

function renderHead(x: number, y: number, text: string): string {
  return `<text class="head" x="${x}" y="${y}">${text}</text>`
}

function renderLine({ x1, y1, x2, y2, state }: Layout['legs'][number]): string {
  const bend = (x2 - x1) / 2
  const path = `<path class="${state}" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`
  if (state !== 'broken') return path
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2]
  return `${path}<circle class="gap" cx="${x}" cy="${y}" r="8"/><path class="cross" d="M${x - 4} ${y - 4}l8 8m0-8l-8 8"/>`
}

function renderStop(
  { x, y, name, lines, state }: Layout['columns'][number]['stops'][number],
  { boxWidth }: MapSize,
): string {
  const [first = '', second = ''] = lines
  return `<g class="${state}"><title>${toMarkup(name)}</title><rect x="${x + 0.5}" y="${y + 0.5}" width="${boxWidth - 1}" height="${BOX_HEIGHT - 1}" rx="6"/><text x="${x + 8}" y="${y + 17}">${toMarkup(first)}</text><text class="second" x="${x + 8}" y="${y + 32}">${toMarkup(second)}</text><text class="sign" x="${x + boxWidth - 7}" y="${y + 32}">${SIGNS[state]}</text></g>`
}

function summarizeRoutes({ pages, points, cookies, calls, carries }: Routes): string {
  const broken = [...calls, ...carries].filter(({ state }) => state === 'broken')
  const lost = cookies.filter(({ state }) => state === 'bad')
  return `Map from ${count(pages.length, 'page')} through ${count(points.length, 'point')} to ${count(cookies.length, 'cookie')}: ${count(broken.length, 'broken route')}, ${count(lost.length, 'cookie')} not sent. The table below says the same.`
}

function renderTables(routes: Routes): string {
  const { pages, points, cookies, calls, carries } = routes
  return [
    renderTable(['Page', 'Point', 'Does the call get through?'], toRows(calls, pages, points, CALLED)),
    renderTable(['Point', 'Cookie', 'Is it sent?'], toRows(carries, points, cookies, CARRIED)),
    renderTable(['Not connected', 'What it is'], listLone(routes).slice(0, MOST_TABLE_ROWS)),
  ].join('\n')
}

/** The class of a row, and its cells. */
type Row = readonly [className: string, ...cells: string[]]

function toRows(
  legs: readonly Leg[],
  from: readonly Stop[],
  to: readonly Stop[],
  words: Readonly<Record<Leg['state'], string>>,
): readonly Row[] {
  const rows = legs
    .slice(0, MOST_TABLE_ROWS)
    .map((leg): Row => [leg.state, from[leg.from]?.name ?? '', to[leg.to]?.name ?? '', words[leg.state]])
  const more = legs.length - rows.length
  return more > 0 ? [...rows, ['more', '', '', `and ${more} more`]] : rows
}

/** Pages, points and cookies that nothing connects. */
function listLone({ pages, points, cookies, calls, carries }: Routes): readonly Row[] {
  const toLone = (stops: readonly Stop[], legs: readonly Leg[], end: 'from' | 'to', what: string) => {
    const joined = new Set(legs.map((leg) => leg[end]))
    return stops.filter((_, index) => !joined.has(index)).map(({ name }): Row => ['alone', name, what])
  }
  return [
    ...toLone(pages, calls, 'from', 'a page that calls no point'),
    ...toLone(points, calls, 'to', 'a point that no page calls'),
    ...toLone(cookies, carries, 'to', 'a cookie that no point carries'),
  ]
}

function renderTable(heads: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const body = rows.map(
    ([className, ...cells]) =>
      `<tr class="${className}">${cells.map((cell) => `<td>${toMarkup(cell)}</td>`).join('')}</tr>`,
  )
  return `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>
${body.join('\n')}
</tbody></table>`
}

/** In units of the map. `characters`: the most in the two lines of a label; the mark is beside the second. */
const SIZES = [
  { name: 'wide', width: 960, boxWidth: 248, rowHeight: 52, characters: [29, 29] },
  { name: 'narrow', width: 356, boxWidth: 104, rowHeight: 50, characters: [15, 13] },
]

type MapSize = (typeof SIZES)[number]

const HEAD = 30
const BOX_HEIGHT = 42
const MOST_ROWS = 60

const COLUMNS = ['Pages', 'Points', 'Cookies'] as const

const MOST_TABLE_ROWS = 200

/** With more lines than this they are drawn thin, to remain distinguishable. */
const MOST_BOLD = 60

const SIGNS: Readonly<Record<Stop['state'], string>> = { good: '✔', unsure: '?', bad: '✖' }

const CALLED: Readonly<Record<Leg['state'], string>> = {
  travels: '✔ gets through',
  depends: '? uncertain',
  broken: '✖ does not get through',
}

const CARRIED: Readonly<Record<Leg['state'], string>> = {
  travels: '✔ it is sent',
  depends: '? uncertain',
  broken: '✖ it is not sent',
}

const LEGEND = `<span class="key travels">travels</span> <span class="key depends">uncertain</span> <span class="key broken">✖ broken</span>`
