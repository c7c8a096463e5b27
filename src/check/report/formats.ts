import { renderCompact } from './compact.ts'
import { renderGithub } from './github.ts'
import { renderHtml } from './html.ts'
import { renderJson } from './json.ts'
import { renderJunit } from './junit.ts'
import type { Paint } from './paint.ts'
import { renderPretty } from './pretty.ts'
import type { Report } from './report.ts'
import { renderSarif } from './sarif.ts'

export const formats = ['pretty', 'compact', 'json', 'sarif', 'junit', 'github', 'html'] as const

export type Format = (typeof formats)[number]

export function isFormat(word: string): word is Format {
  return formats.some((format) => format === word)
}

/** Renders a report whole; only `pretty` has colours. */
export function render(report: Report, format: Format, paint: Paint): string {
  return [...renderPieces(report, format, paint)].join('')
}

/** The same text in pieces, made as they are asked for where a report may be large. */
export function renderPieces(report: Report, format: Format, paint: Paint): Iterable<string> {
  return format === 'json' ? renderJson(report) : [renderers[format](report, paint)]
}

const renderers: Readonly<Record<Exclude<Format, 'json'>, (report: Report, paint: Paint) => string>> = {
  pretty: renderPretty,
  compact: renderCompact,
  sarif: renderSarif,
  junit: renderJunit,
  github: renderGithub,
  html: renderHtml,
}
