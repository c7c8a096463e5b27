import { didYouMean } from '../../config/suggestion.ts'
import type { Paint } from '../../text/paint.ts'
import { renderGithub } from './github.ts'
import { renderHtml } from './html.ts'
import { renderJson } from './json.ts'
import { renderPretty } from './pretty.ts'
import { renderPrometheus } from './prometheus.ts'
import type { Report } from './report.ts'
import { renderSarif } from './sarif.ts'

export const FORMATS = ['pretty', 'json', 'sarif', 'github', 'html', 'prometheus'] as const

type Format = (typeof FORMATS)[number]

/** What a value of `--output` asks for, `FORMAT=PATH`, or why it can't be used. */
export function parseOutput(word: string) {
  const [, name = '', path = ''] = /^([^=]*)=(.*)$/s.exec(word) ?? []
  if (path === '') return { fault: `--output takes FORMAT=PATH, not ${JSON.stringify(word)}` }
  if (path === '-') return { fault: `--output takes the path of a file, not -: use --format ${name}` }
  const format = FORMATS.find((each) => each === name)
  if (format !== undefined) return { format, path }
  const next = didYouMean(name, FORMATS, `: one of ${FORMATS.join(', ')}`)
  return { fault: `--output has no format ${JSON.stringify(name)}${next}` }
}

type Given = readonly [report: Report, format: Format, paint: Paint, columns?: number]

/** Renders a whole report. Only `pretty` uses colours and wraps lines to the terminal's width. */
export function render(...given: Given): string {
  return [...renderPieces(...given)].join('')
}

/** The same text in pieces. Those of JSON, which may be large, are made one at a time. */
export function renderPieces(...[report, format, paint, columns]: Given): Iterable<string> {
  if (format === 'json') return renderJson(report)
  return [format === 'pretty' ? renderPretty(report, paint, columns) : RENDERERS[format](report)]
}

const RENDERERS = { sarif: renderSarif, github: renderGithub, html: renderHtml, prometheus: renderPrometheus }
