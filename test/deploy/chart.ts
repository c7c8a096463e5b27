import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

type Data = Readonly<Record<string, unknown>>

/**
 * Fills in a chart's templates, as far as its templates go: `if`, fields, pipes and the functions below. Anything else
 * throws, so a template that grows past this is noticed.
 *
 * @returns one object for each document
 */
export function renderChart(folder: string, values: Data, release: Data): Data[] {
  const chart = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8'))
  // Helm capitalises what is in Chart.yaml.
  const root = { Values: values, Release: release, Chart: { AppVersion: chart.appVersion } }
  return readdirSync(join(folder, 'templates'))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(folder, 'templates', name), 'utf8'))
    .flatMap((template) => parseAllDocuments(fill(template, root)))
    .map((document) => document.toJS())
    .filter((document) => document !== null)
}

/** A template with its blocks decided and its expressions replaced. */
export function fill(template: string, root: Data): string {
  return template
    .replace(/^\{\{- if (\S+) \}\}\n([\s\S]*?)^\{\{- end \}\}\n/gm, (_block, path: string, body: string) =>
      valueAt(root, path) ? body : '',
    )
    .replace(/\{\{ (.*?) \}\}/g, (_expression, pipeline: string) => String(evaluate(pipeline, root)))
}

function evaluate(pipeline: string, root: Data): unknown {
  return pipeline.split(' | ').reduce<unknown>((piped, step) => {
    const words = step.split(' ')
    const operands = words.filter((word) => word.startsWith('.')).map((word) => valueAt(root, word))
    const [name = ''] = words
    if (name.startsWith('.')) return operands[0]
    const call = FUNCTIONS[name]
    if (call === undefined) throw new Error(`The chart uses ${name}, which is not known here`)
    return call(...operands, ...(piped === undefined ? [] : [piped]))
  }, undefined)
}

function valueAt(root: Data, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => {
      if (typeof value !== 'object' || value === null || !(name in value))
        throw new Error(`No value for ${path}`)
      return (value as Data)[name]
    }, root)
}

const FUNCTIONS: Readonly<Record<string, (...operands: unknown[]) => unknown>> = {
  default: (fallback, value) => value || fallback,
  quote: (value) => JSON.stringify(String(value)),
  sha256sum: (value) => createHash('sha256').update(String(value)).digest('hex'),
  toJson: (value) => JSON.stringify(value),
  toPrettyJson: (value) => JSON.stringify(value, undefined, 2),
}
