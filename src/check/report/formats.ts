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

/** Renders a report; only `pretty` has colours. */
export function render(report: Report, format: Format, paint: Paint): string {
  return renderers[format](report, paint)
}

const renderers: Readonly<Record<Format, (report: Report, paint: Paint) => string>> = {
  pretty: renderPretty,
  compact: renderCompact,
  json: renderJson,
  sarif: renderSarif,
  junit: renderJunit,
  github: renderGithub,
  html: renderHtml,
}
