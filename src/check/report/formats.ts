import type { Paint } from '../../text/paint.ts'
import { renderCompact } from './compact.ts'
import { renderGithub } from './github.ts'
import { renderHtml } from './html.ts'
import { renderJson } from './json.ts'
import { renderJunit } from './junit.ts'
import { renderPretty } from './pretty.ts'
import type { Report } from './report.ts'
import { renderSarif } from './sarif.ts'

export const formats = ['pretty', 'compact', 'json', 'sarif', 'junit', 'github', 'html'] as const

export type Format = (typeof formats)[number]

export function isFormat(word: string): word is Format {
  return formats.some((format) => format === word)
}

/** Renders a whole report. Only `pretty` uses colours and wraps lines to the terminal's width. */
export function render(report: Report, format: Format, paint: Paint, columns?: number): string {
  return [...renderPieces(report, format, paint, columns)].join('')
}

/** The same text in pieces. Those of JSON, which may be large, are made one at a time. */
export function renderPieces(
  report: Report,
  format: Format,
  paint: Paint,
  columns?: number,
): Iterable<string> {
  return format === 'json' ? renderJson(report) : [renderers[format](report, paint, columns)]
}

const renderers: Readonly<
  Record<Exclude<Format, 'json'>, (report: Report, paint: Paint, columns: number | undefined) => string>
> = {
  pretty: renderPretty,
  compact: renderCompact,
  sarif: renderSarif,
  junit: renderJunit,
  github: renderGithub,
  html: renderHtml,
}
