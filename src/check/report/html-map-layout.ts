import type { Leg, Routes, Stop } from '../routes.ts'

/** The dimensions of the map, in its own units. */
export interface MapSize {
  readonly name: 'wide' | 'narrow'
  readonly width: number
  readonly boxWidth: number
  readonly boxHeight: number
  readonly rowHeight: number
  /** Most characters in the two lines of a label; the mark is beside the second. */
  readonly characters: readonly [first: number, second: number]
}

export type MapLayout = ReturnType<typeof layOutMap>
export type PlacedStop = MapLayout['stops'][number]
export type PlacedLeg = MapLayout['legs'][number]

/** Places pages, points and cookies in three columns, each centred vertically. */
export function layOutMap(routes: Routes, size: MapSize) {
  const columns = [routes.pages, routes.points, routes.cookies] as const
  const rows = Math.max(1, ...columns.map((stops) => Math.min(stops.length, MOST_ROWS)))
  const height = HEAD + rows * size.rowHeight
  const gap = (size.width - 3 * size.boxWidth) / 2
  const place = (column: 0 | 1 | 2) => {
    const stops = columns[column].slice(0, MOST_ROWS)
    const top = HEAD + ((rows - stops.length) * size.rowHeight) / 2
    return stops.map((stop, row) => ({
      ...stop,
      x: column * (size.boxWidth + gap),
      y: top + row * size.rowHeight,
      lines: stop.label.map((line, index) => shorten(line, size.characters[index] ?? 0)),
    }))
  }
  const [pages, points, cookies] = [place(0), place(1), place(2)]
  type Placed = typeof pages
  const connect = (legs: readonly Leg[], from: Placed, to: Placed) =>
    legs.flatMap((leg) => {
      const [start, end] = [from[leg.from], to[leg.to]]
      if (start === undefined || end === undefined) return []
      const middle = size.boxHeight / 2
      return [{ ...leg, x1: start.x + size.boxWidth, y1: start.y + middle, x2: end.x, y2: end.y + middle }]
    })
  return {
    height,
    stops: [...pages, ...points, ...cookies],
    legs: [...connect(routes.calls, pages, points), ...connect(routes.carries, points, cookies)],
    /** How many stops of each column there was no room for. */
    left: [countLeft(routes.pages), countLeft(routes.points), countLeft(routes.cookies)],
  }
}

function countLeft(stops: readonly Stop[]): number {
  return Math.max(0, stops.length - MOST_ROWS)
}

/** Keeps the beginning and the end, which say most. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const tail = Math.floor((most - 1) / 2)
  return `${text.slice(0, most - 1 - tail)}…${text.slice(-tail)}`
}

const HEAD = 30
const MOST_ROWS = 60
