import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'

type Data = Readonly<Record<string, unknown>>

/**
 * Fills in a chart's templates, as far as its templates go: `if`, fields, pipes, parentheses and the functions below.
 * Anything else throws, so a template that grows past this is noticed. `helm.test.ts` compares the result with Helm's.
 *
 * @returns one object for each document
 * @throws Error with the chart's own sentence where a template fails
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
  return decide(template, root).replace(/\{\{ (.*?) \}\}/g, (_expression, pipeline: string) =>
    String(evaluate(pipeline, root)),
  )
}

/** Innermost blocks first. */
function decide(template: string, root: Data): string {
  const decided = template.replace(INNERMOST_IF, (_block, condition: string, body: string) =>
    isTrue(evaluate(condition, root)) ? body : '',
  )
  return decided === template ? template : decide(decided, root)
}

/** Go templates treat empty values as false. */
function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

function evaluate(pipeline: string, root: Data): unknown {
  const steps: string[][] = [[]]
  for (const [word] of pipeline.matchAll(WORD)) {
    if (word === '|') steps.push([])
    else steps.at(-1)?.push(word)
  }
  return steps.reduce<unknown>((piped, [name = '', ...words]) => {
    if (/^[.("\d]/.test(name)) return operandOf(name, root)
    const call = FUNCTIONS[name]
    if (call === undefined) throw new Error(`The chart uses ${name}, which is not known here`)
    const operands = words.map((word) => operandOf(word, root))
    return call(...operands, ...(piped === undefined ? [] : [piped]))
  }, undefined)
}

function operandOf(word: string, root: Data): unknown {
  if (word.startsWith('(')) return evaluate(word.slice(1, -1), root)
  if (word.startsWith('.')) return valueAt(root, word)
  return JSON.parse(word)
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

const INNERMOST_IF = /^\{\{- if (.+) \}\}\n((?:(?!^\{\{- if )[\s\S])*?)^\{\{- end \}\}\n/gm

const QUOTED = '"(?:[^"\\\\]|\\\\.)*"'
/** Parentheses with up to two more inside, which a quoted text may contain too. */
const GROUP = [1, 2].reduce((inner) => `\\((?:${QUOTED}|[^()"]|${inner})*\\)`, `\\((?:${QUOTED}|[^()"])*\\)`)
/** A quoted text, a group, or anything else up to a blank. */
const WORD = new RegExp(`${QUOTED}|${GROUP}|\\S+`, 'g')

const FUNCTIONS: Readonly<Record<string, (...operands: unknown[]) => unknown>> = {
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  add: (...numbers) => numbers.reduce((sum: number, each) => sum + Number(each), 0),
  dict: (...words) =>
    Object.fromEntries(words.flatMap((name, at) => (at % 2 === 0 ? [[name, words[at + 1]]] : []))),
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  fail: (sentence) => {
    throw new Error(String(sentence))
  },
  ge: (a, b) => Number(a) >= Number(b),
  gt: (a, b) => Number(a) > Number(b),
  int: (value) => Number.parseInt(String(value), 10),
  not: (value) => !isTrue(value),
  quote: (value) => JSON.stringify(String(value)),
  regexFind: (pattern, text) => new RegExp(String(pattern)).exec(String(text))?.[0] ?? '',
  regexMatch: (pattern, text) => new RegExp(String(pattern)).test(String(text)),
  sha256sum: (value) => createHash('sha256').update(String(value)).digest('hex'),
  toJson: (value) => JSON.stringify(inOrder(value)),
  indent: (width, text) => String(text).replace(/^/gm, ' '.repeat(Number(width))),
  toYaml: (value) => stringify(inOrder(value)).trimEnd(),
  toPrettyJson: (value) => JSON.stringify(inOrder(value), undefined, 2),
  trimPrefix: (prefix, text) => String(text).replace(new RegExp(`^${prefix}`), ''),
  trimSuffix: (suffix, text) => String(text).replace(new RegExp(`${suffix}$`), ''),
}

/** Go writes the keys of a map in their order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, inOrder(each)] as const)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
