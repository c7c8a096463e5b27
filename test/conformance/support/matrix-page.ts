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

/**
 * Writes the conformance page, in Markdown: the counts of each row, the cases that some row fails, then what was seen of
 * each front end instead.
 */
export function toMatrixPage(rows: readonly MatrixRow[], reasons: readonly MatrixReason[]): string {
  const frontEnds = [...new Set(rows.map(({ frontEnd }) => frontEnd))]
  const sections = frontEnds.map((name) =>
    toSection(
      rows.filter(({ frontEnd }) => frontEnd === name),
      reasons,
    ),
  )
  const counts = [...preface, ...toTable(rows)].join('\n')
  return wrapMarkdown(`${[counts, toCaseList(rows), ...sections].join('\n\n')}\n`)
}

/** The cases that the sections below name by their ids. Those whose titles begin alike are one line. */
function toCaseList(rows: readonly MatrixRow[]): string {
  const failed = new Set(
    rows.flatMap(({ outcomes }) => outcomes.filter(({ outcome }) => outcome !== 'pass').map(({ id }) => id)),
  )
  const cases = new Map(rows.flatMap(({ outcomes }) => outcomes.map((each) => [each.id, each])))
  const casesByTitle = new Map<string, readonly { readonly name: string; readonly rest: string }[]>()
  for (const { id, level, title } of cases.values()) {
    if (!failed.has(id)) continue
    const [common = '', rest = ''] = title.split(': ')
    const name = `\`${id}\`${level === 'must' ? ' (*must*)' : ''}`
    const isInName = id.endsWith(rest.replaceAll(' ', '-'))
    casesByTitle.set(common, [...(casesByTitle.get(common) ?? []), { name, rest: isInName ? '' : rest }])
  }
  const lines = [...casesByTitle].map(([common, alike]) =>
    alike.length === 1
      ? `- ${alike.map(({ name, rest }) => `${name}: ${common}${rest === '' ? '' : `: ${rest}`}`)}`
      : `- ${common}: ${alike.map(({ name, rest }) => (rest === '' ? name : `${name}, ${rest}`)).join('; ')}`,
  )
  return ['## Cases that some set-ups fail', '', ...lines].join('\n')
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

/** What was seen, by case. What several set-ups of a front end, or several cases, have in common is one line. */
function toSection(rows: readonly MatrixRow[], reasons: readonly MatrixReason[]): string {
  const title = rows[0]?.frontEnd ?? ''
  const idsByLine = new Map<string, readonly string[]>()
  for (const { id, level } of rows[0]?.outcomes ?? []) {
    const playing = rows.filter(({ outcomes }) => outcomes.some((each) => each.id === id))
    const setUpsBySeen = new Map<string, readonly string[]>()
    for (const { setUp = '', outcomes } of playing) {
      const gap = outcomes.find((each) => each.id === id)
      if (gap === undefined || gap.outcome === 'pass') continue
      const seen = [...new Set(gap.faults.map((fault) => shorten(fault.seen)))].join('; ')
      setUpsBySeen.set(seen, [...(setUpsBySeen.get(seen) ?? []), setUp])
    }
    const why =
      level === 'must' ? reasons.find((each) => each.id === id && each.frontEnd === title)?.why : undefined
    for (const [at, [seen, setUps]] of [...setUpsBySeen].entries()) {
      const where = setUps.length === playing.length ? '' : ` (${toModes(setUps, playing).join('; ')})`
      const line = `${where}: ${seen}.${why === undefined || at < setUpsBySeen.size - 1 ? '' : ` ${why}`}`
      idsByLine.set(line, [...(idsByLine.get(line) ?? []), id])
    }
  }
  const lines = [...idsByLine].map(([line, ids]) => `- ${ids.map((id) => `\`${id}\``).join(', ')}${line}`)
  return [`## ${title}`, '', ...(lines.length === 0 ? ['Passes every case.'] : lines)].join('\n')
}

/** In few words. How curl puts it that a stream ended without a response depends on which side is faster. */
function shorten(seen: string): string {
  return seen
    .replace(/nothing arrived; the point returned status (?=[45])/, 'refused with ')
    .replace('nothing arrived; the point returned no', 'no')
    .replaceAll(/ \(curl \d+\)/g, '')
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
  'This is what the suite found for `serve`, and for front ends with the unedited output of `render`, or the example (`test/conformance/real-servers.test.ts`). nginx, Apache, HAProxy and Caddy also serve a site with two TLS hosts, a cookie path, and its own redirects, headers and compression. [Test your own front end](../../docs/checking.md#testing-a-front-end-of-your-own) in the same way.',
  '',
  '- *Must*: a failure breaks sessions or leaks cookies. *Should*: what an exact proxy also preserves.',
  '- *Route*: the front end is in front of `serve`. *Forward*: it works alone. *Edge*: `continuation-point/edge`, the app over `fetch`.',
  '- *HTTP/2*: tested with curl, in the cases that it can send. A mode stands for both protocols unless one is named. Chromium tests the same sites over HTTP/2, and Caddy over HTTP/3 (`test/conformance/browser-protocols.browser.test.ts`). Debian’s nginx has no HTTP/3; `test/front-ends/nginx-host.test.ts` tests requests without Host, as HTTP/3 sends them.',
  '',
  'Not tested: [the other examples](README.md).',
  '',
  'Cases that pass, of the number in the head:',
  '',
]
