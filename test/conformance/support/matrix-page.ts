import { tallyOf } from '../../../src/conformance/report.ts'
import type { Outcome } from '../../../src/conformance/run-cases.ts'

/** One front end, set up in one way, with what the suite found. */
export interface MatrixRow {
  readonly title: string
  readonly outcomes: readonly Outcome[]
}

/** Writes the page about conformance, in Markdown: the counts of each row, then what each row does not keep. */
export function toMatrixPage(rows: readonly MatrixRow[]): string {
  return `${[...preface, ...rows.map(toTableRow)].join('\n')}\n\n${rows.map(toSection).join('\n\n')}\n`
}

function toTableRow({ title, outcomes }: MatrixRow): string {
  return `| ${title} | ${toCell(outcomes, 'must')} | ${toCell(outcomes, 'should')} |`
}

function toCell(outcomes: readonly Outcome[], level: Outcome['level']): string {
  const { passed, failed } = tallyOf(outcomes, level)
  return failed === 0 ? `all ${passed}` : `${passed} of ${passed + failed}`
}

function toSection({ title, outcomes }: MatrixRow): string {
  const gaps = outcomes.filter(({ outcome }) => outcome === 'fail')
  const lines = gaps.map(
    ({ id, level, title: right, faults }) =>
      `- \`${id}\` (${level}): ${right}. Seen: ${faults.map(({ seen }) => seen).join('; ')}.`,
  )
  return [`## ${title}`, '', ...(lines.length === 0 ? ['Passes every case.'] : lines)].join('\n')
}

const preface = [
  '# Conformance',
  '',
  'What `continuation-point conformance` found, case by case, for our own proxy and for front ends that include what',
  '`continuation-point render` prints, without an edit, in a site that was there before: two hosts with TLS, a cookie path,',
  'a redirect, headers and mostly compression of its own. *Must*: without it sessions break or cookies leak. *Should*: what an',
  'exact proxy keeps beyond that. In the mode *route* the front end stands before `serve`, in the mode *forward* it',
  'works alone. *Edge* is `continuation-point/edge`, the app over `fetch`.',
  '',
  'To judge a front end of your own, let it forward to `http://127.0.0.1:8090` with the widget key `demo-widget-key`, then:',
  '',
  '```sh',
  'continuation-point conformance --point http://www.example.com/service_cookie_transfer/ --resolve www.example.com:127.0.0.1',
  '```',
  '',
  'Traefik, Envoy, Varnish, IIS, Ingress, Gateway API, the Cloudflare Worker and CloudFront: not run.',
  '',
  '| set-up | must | should |',
  '| --- | --- | --- |',
]
