import { tallyOf } from '../../../src/conformance/report.ts'
import type { Outcome } from '../../../src/conformance/suite.ts'
import { wrapMarkdown } from '../../support/wrap-markdown.ts'

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

/** The cases that the sections below name by their ids. */
function toCaseList(rows: readonly MatrixRow[]): string {
  const failed = new Set(
    rows.flatMap(({ outcomes }) => outcomes.filter(({ outcome }) => outcome !== 'pass').map(({ id }) => id)),
  )
  const cases = new Map(rows.flatMap(({ outcomes }) => outcomes.map((each) => [each.id, each])))
  const lines = [...cases.values()]
    .filter(({ id }) => failed.has(id))
    .map(({ id, level, title }) => `- \`${id}\`${level === 'must' ? ' (*must*)' : ''}: ${title}`)
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

/** What was seen, by case. What several set-ups of a front end have in common is one line. */
function toSection(rows: readonly MatrixRow[], reasons: readonly MatrixReason[]): string {
  const title = rows[0]?.frontEnd ?? ''
  const setUpsByLine = new Map<string, { readonly gap: Outcome; readonly setUps: string[] }>()
  const ids = rows[0]?.outcomes.map(({ id }) => id) ?? []
  for (const id of ids) {
    for (const { setUp = '', outcomes } of rows) {
      const gap = outcomes.find((each) => each.id === id)
      if (gap === undefined || gap.outcome === 'pass') continue
      // How curl puts it that a stream ended without a response depends on which side is faster.
      const seen = gap.faults.map((fault) => fault.seen.replaceAll(/ \(curl \d+\)/g, ''))
      const line = `\`${id}\`: ${[...new Set(seen)].join('; ')}.`
      const entry = setUpsByLine.get(line) ?? { gap, setUps: [] }
      entry.setUps.push(setUp)
      setUpsByLine.set(line, entry)
    }
  }
  const lines = [...setUpsByLine].map(([line, { gap, setUps }]) => {
    const playing = rows.filter(({ outcomes }) => outcomes.some(({ id }) => id === gap.id))
    const where = setUps.length === playing.length ? '' : ` (${toModes(setUps, playing).join('; ')})`
    const why =
      gap.level === 'must'
        ? reasons.find(({ id, frontEnd }) => id === gap.id && frontEnd === title)?.why
        : undefined
    return `- ${line.replace(':', `${where}:`)}${why === undefined ? '' : ` ${why}`}`
  })
  return [`## ${title}`, '', ...(lines.length === 0 ? ['Passes every case.'] : lines)].join('\n')
}

/** A mode over HTTP/2 is named only if its results differ from those over HTTP/1.1. */
function toModes(setUps: readonly string[], playing: readonly MatrixRow[]): readonly string[] {
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
  'What `continuation-point conformance` found for `serve`, and for front ends with the unedited output of `continuation-point render`. nginx, Apache, HAProxy and Caddy also serve a site with two TLS hosts, a cookie path, and its own redirects, headers and compression. `test/conformance/real-servers.test.ts` runs the servers and fails if this page differs.',
  '',
  '- *Must*: a failure breaks sessions or leaks cookies. *Should*: what an exact proxy also preserves.',
  '- *Route*: the front end is in front of `serve`. *Forward*: it works alone. *Edge*: `continuation-point/edge`, the app over `fetch`.',
  '- *HTTP/2*: tested with curl, in the cases that curl can send. Below, a mode stands for both protocols unless one is named. Chromium tests the same sites over HTTP/2, and Caddy over HTTP/3 (`test/conformance/browser-protocols.browser.test.ts`). Debian’s nginx has no HTTP/3; `test/front-ends/nginx-host.test.ts` tests requests without a Host field, as HTTP/3 sends them.',
  '',
  'Not tested: Traefik, Envoy, IIS, Ingress, Gateway API and CloudFront. The Worker for Cloudflare ran in workerd, not at Cloudflare.',
  '',
  '[Test your own front end](../../docs/checking.md#testing-a-front-end-of-your-own) in the same way.',
  '',
  'Cases that pass, of the number in the head:',
  '',
]
