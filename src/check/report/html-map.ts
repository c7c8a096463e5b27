import { toMarkup } from '../../text/escape.ts'
import type { Leg, Routes, Stop } from '../routes.ts'
import {
  layOutMap,
  type MapLayout,
  type MapSize,
  type PlacedLeg,
  type PlacedStop,
} from './html-map-layout.ts'

/**
 * The routes of the cookies as a map, once for wide screens and paper and once for phones, and as tables. Marks and dashes
 * repeat what the colours say.
 */
export function renderMap(routes: Routes): string {
  const pictures = SIZES.map((size) => renderPicture(layOutMap(routes, size), size, summarizeRoutes(routes)))
  return `<figure class="map">
${pictures.join('\n')}
<figcaption>${LEGEND}</figcaption>
</figure>
<details class="help"><summary>The same as a table</summary>
${renderTables(routes)}
</details>`
}

function renderPicture(layout: MapLayout, size: MapSize, summary: string): string {
  const { width, name } = size
  const more = layout.left.some((count) => count > 0) ? 24 : 0
  const height = layout.height + more
  return `<svg class="${name}${layout.legs.length > MOST_BOLD ? ' busy' : ''}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${toMarkup(summary)}">
${renderHeads(size)}
${layout.legs.map(renderLine).join('\n')}
${layout.stops.map((stop) => renderStop(stop, size)).join('\n')}
${more === 0 ? '' : renderLeft(layout, size)}</svg>`
}

function renderHeads({ width, boxWidth }: MapSize): string {
  const gap = (width - 3 * boxWidth) / 2
  return COLUMNS.map(
    (word, column) => `<text class="head" x="${column * (boxWidth + gap)}" y="14">${word}</text>`,
  ).join('')
}

function renderLine({ x1, y1, x2, y2, state }: PlacedLeg): string {
  const bend = (x2 - x1) / 2
  const path = `<path class="${state}" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`
  if (state !== 'broken') return path
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2]
  return `${path}<circle class="gap" cx="${x}" cy="${y}" r="8"/><path class="cross" d="M${x - 4} ${y - 4}l8 8m0-8l-8 8"/>`
}

function renderStop({ x, y, name, lines, state }: PlacedStop, { boxWidth, boxHeight }: MapSize): string {
  const [first = '', second = ''] = lines
  return `<g class="${state}"><title>${toMarkup(name)}</title><rect x="${x + 0.5}" y="${y + 0.5}" width="${boxWidth - 1}" height="${boxHeight - 1}" rx="6"/><text x="${x + 8}" y="${y + 17}">${toMarkup(first)}</text><text class="second" x="${x + 8}" y="${y + 32}">${toMarkup(second)}</text><text class="sign" x="${x + boxWidth - 7}" y="${y + 32}">${SIGNS[state]}</text></g>`
}

function renderLeft({ height, left }: MapLayout, { width, boxWidth }: MapSize): string {
  const gap = (width - 3 * boxWidth) / 2
  return left
    .map((count, column) =>
      count === 0
        ? ''
        : `<text class="head" x="${column * (boxWidth + gap)}" y="${height + 12}">and ${count} more</text>`,
    )
    .join('')
}

function summarizeRoutes({ pages, points, cookies, calls, carries }: Routes): string {
  const count = ({ length }: { readonly length: number }, one: string) =>
    `${length} ${one}${length === 1 ? '' : 's'}`
  const broken = [...calls, ...carries].filter(({ state }) => state === 'broken')
  const lost = cookies.filter(({ state }) => state === 'bad')
  return `Map from ${count(pages, 'page')} through ${count(points, 'point')} to ${count(cookies, 'cookie')}: ${count(broken, 'broken route')}, ${count(lost, 'cookie')} not sent. The table below says the same.`
}

function renderTables(routes: Routes): string {
  const { pages, points, cookies, calls, carries } = routes
  return [
    renderTable(['Page', 'Point', 'Does the call get through?'], calls, pages, points, CALLED),
    renderTable(['Point', 'Cookie', 'Is it sent?'], carries, points, cookies, CARRIED),
    renderLoneTable(routes),
  ].join('\n')
}

function renderTable(
  heads: readonly string[],
  legs: readonly Leg[],
  from: readonly Stop[],
  to: readonly Stop[],
  words: Readonly<Record<Leg['state'], string>>,
): string {
  if (legs.length === 0) return ''
  const rows = legs
    .slice(0, MOST_TABLE_ROWS)
    .map((leg) =>
      renderRow([from[leg.from]?.name ?? '', to[leg.to]?.name ?? '', words[leg.state]], leg.state),
    )
  const more = legs.length - rows.length
  return layOutTable(heads, more > 0 ? [...rows, renderRow(['', '', `and ${more} more`], 'more')] : rows)
}

/** Pages, points and cookies that nothing connects. */
function renderLoneTable({ pages, points, cookies, calls, carries }: Routes): string {
  const toLone = (stops: readonly Stop[], legs: readonly Leg[], end: 'from' | 'to', what: string) => {
    const joined = new Set(legs.map((leg) => leg[end]))
    return stops.filter((_, index) => !joined.has(index)).map(({ name }) => [name, what])
  }
  const rows = [
    ...toLone(pages, calls, 'from', 'a page that calls no point'),
    ...toLone(points, calls, 'to', 'a point that no page calls'),
    ...toLone(cookies, carries, 'to', 'a cookie that no point carries'),
  ].slice(0, MOST_TABLE_ROWS)
  if (rows.length === 0) return ''
  return layOutTable(
    ['Not connected', 'What it is'],
    rows.map((cells) => renderRow(cells, 'alone')),
  )
}

function layOutTable(heads: readonly string[], rows: readonly string[]): string {
  const cells = heads.map((head) => `<th scope="col">${head}</th>`)
  return `<table><thead><tr>${cells.join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`
}

function renderRow(cells: readonly string[], className: string): string {
  return `<tr class="${className}">${cells.map((cell) => `<td>${toMarkup(cell)}</td>`).join('')}</tr>`
}

const SIZES: readonly MapSize[] = [
  { name: 'wide', width: 960, boxWidth: 248, boxHeight: 42, rowHeight: 52, characters: [29, 29] },
  { name: 'narrow', width: 356, boxWidth: 104, boxHeight: 42, rowHeight: 50, characters: [15, 13] },
]

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
