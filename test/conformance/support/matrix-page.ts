import { wrapMarkdown } from '../../support/wrap-markdown.ts'
import { tallyOf } from '../suite/report.ts'
import type { Outcome } from '../suite/suite.ts'

/** One set-up of one front end, with what the suite found. */
export interface MatrixRow {
  readonly frontEnd: string
  /** The mode, where the front end has more than one; the host of a runtime. */
  readonly setUp?: string
  readonly outcomes: readonly Outcome[]
}

/** Why a front end can't pass a case. */
export interface MatrixReason {
  readonly frontEnd: string
  readonly id: string
  readonly why: string
}

/** Writes the conformance page, in Markdown: the counts of each row, then the cases that some row fails. */
export function toMatrixPage(rows: readonly MatrixRow[], reasons: readonly MatrixReason[]): string {
  return wrapMarkdown(`${[...preface, ...toTable(rows), ...heading, ...toCases(rows, reasons)].join('\n')}\n`)
}

/** The cases that some row fails, with these rows. Those whose titles begin alike, and fail alike, are one line. */
function toCases(rows: readonly MatrixRow[], reasons: readonly MatrixReason[]): readonly string[] {
  const frontEnds = [...new Set(rows.map(({ frontEnd }) => frontEnd))]
  const cases = new Map(rows.flatMap(({ outcomes }) => outcomes.map((each) => [each.id, each])))
  const idsByRest = new Map<string, readonly string[]>()
  for (const { id, level, title } of cases.values()) {
    const failing = frontEnds.flatMap((frontEnd) => toFailing(rows, frontEnd, id))
    if (failing.length === 0) continue
    const why = level === 'must' ? reasons.filter((each) => each.id === id).map((each) => ` ${each.why}`) : []
    const rest = `${title.split(': ')[0]}: ${failing.join(', ')}.${why.join('')}`
    const name = `\`${id}\`${level === 'must' ? ' (*must*)' : ''}`
    idsByRest.set(rest, [...(idsByRest.get(rest) ?? []), name])
  }
  return [...idsByRest].map(([rest, ids]) => `- ${ids.join(', ')}, ${rest}`)
}

/** The front end, with its modes unless all of them fail the case. */
function toFailing(rows: readonly MatrixRow[], frontEnd: string, id: string): readonly string[] {
  const outcomeOf = ({ outcomes }: MatrixRow) => outcomes.find((each) => each.id === id)?.outcome
  const playing = rows.filter((row) => row.frontEnd === frontEnd && outcomeOf(row) !== undefined)
  const failing = playing.filter((row) => outcomeOf(row) === 'fail')
  if (failing.length === 0) return []
  if (failing.length === playing.length) return [frontEnd]
  const modes = toModes(
    failing.map(({ setUp = '' }) => setUp),
    playing,
  )
  return [`${frontEnd} (${modes.join('; ')})`]
}

/** How many cases pass, with a row for both protocols of a mode. The heads say how many cases there are. */
function toTable(rows: readonly MatrixRow[]): readonly string[] {
  const second = (row: MatrixRow) => rows.find((each) => toTitle(each) === `${toTitle(row)}${OVER_HTTP2}`)
  const total = (row: MatrixRow | undefined, level: Outcome['level']) =>
    row === undefined ? 0 : countOf(row, level).total
  const levels = ['must', 'should'] as const
  const first = rows.filter(({ setUp = '' }) => !setUp.endsWith(OVER_HTTP2))
  const both = first.find((row) => second(row) !== undefined)
  const totals = [rows[0], both && second(both)].map((row) => levels.map((level) => total(row, level)))
  const heads = totals.flatMap((counts, at) =>
    levels.map((level, which) => `${level}${at === 0 ? '' : OVER_HTTP2} (${counts[which]})`),
  )
  const lines = first.map((row) => {
    const cells = [row, second(row)].flatMap((each, at) =>
      levels.map((level, which) => (each === undefined ? '' : toCell(each, level, totals[at]?.[which] ?? 0))),
    )
    return `| ${[toTitle(row), ...cells].join(' | ')} |`
  })
  return [`| set-up | ${heads.join(' | ')} |`, `|${' --- |'.repeat(heads.length + 1)}`, ...lines]
}

function toCell(row: MatrixRow, level: Outcome['level'], expected: number): string {
  const { passed, total } = countOf(row, level)
  const count = passed === total ? 'all' : `${passed}`
  return total === expected ? count : `${count} of ${total}`
}

function countOf({ outcomes }: MatrixRow, level: Outcome['level']) {
  const { passed, failed } = tallyOf(outcomes, level)
  return { passed, total: passed + failed }
}

/** What a row is called. */
export function toTitle({
  frontEnd,
  setUp,
}: Pick<MatrixRow, 'frontEnd'> & { readonly setUp?: string | undefined }): string {
  return setUp === undefined ? frontEnd : `${frontEnd}, ${setUp}`
}

/** A mode over HTTP/2 is named only if its results differ from those over HTTP/1.1, and a protocol alone stands for every mode. */
function toModes(setUps: readonly string[], playing: readonly MatrixRow[]): readonly string[] {
  const isOverHttp2 = (setUp: string) => setUp.endsWith(OVER_HTTP2)
  const ofProtocol = setUps.map(isOverHttp2)
  const others = playing.filter(({ setUp = '' }) => !setUps.includes(setUp))
  if (
    new Set(ofProtocol).size === 1 &&
    others.every(({ setUp = '' }) => isOverHttp2(setUp) !== ofProtocol[0])
  )
    return [ofProtocol[0] === true ? 'HTTP/2' : 'HTTP/1.1']
  const twin = (setUp: string) => `${setUp}${OVER_HTTP2}`
  const has = (setUp: string) => playing.some((row) => row.setUp === setUp)
  return setUps
    .filter((setUp) => !setUps.some((other) => twin(other) === setUp))
    .map((setUp) => (has(twin(setUp)) && !setUps.includes(twin(setUp)) ? `${setUp}, HTTP/1.1` : setUp))
}

const OVER_HTTP2 = ', HTTP/2'

const preface = [
  '# Conformance',
  '',
  'What each set-up passes of the suite in `test/conformance`: `serve`, and front ends with the unedited output of `render`, or the example for Varnish. [Test your own front end](../../docs/checking.md#testing-a-front-end-of-your-own) in the same way. `npm run matrix` writes this page.',
  '',
  '- *Must*: a failure breaks sessions or leaks cookies. *Should*: what an exact proxy also preserves.',
  '- *Route*: in front of `serve`. *Forward*: alone. *Edge*: `continuation-point/edge`, the app over `fetch`.',
  '- *HTTP/2*: the cases that it can express. Chromium tests the same sites over HTTP/2, and Caddy over HTTP/3.',
  '',
]

const heading = ['', '## Cases that some set-ups fail', '']
