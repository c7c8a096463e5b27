import { shorten } from '../../text/prose.ts'
import type { Program } from '../../text/typed-command.ts'
import type { Cause } from '../causes.ts'
import type { CheckResult } from '../check.ts'
import { describeSubject, type Finding } from '../finding.ts'
import type { Rule } from '../rule.ts'
import type { Weight } from '../summary.ts'

/** Everything that a report can show. */
export interface Report {
  readonly tool: {
    readonly name: string
    readonly version: string
    /** Where the Public Suffix List is from that cookies and sites were judged by: `tldts 7.5.4`. */
    readonly suffixList?: string | undefined
  }
  /** How the user started it; only a report for the terminal has such commands. */
  readonly program: Program
  readonly mode: 'offline' | 'live'
  readonly exitCode: number
  /** When it was made, in milliseconds since the epoch. */
  readonly atMs: number
  readonly result: CheckResult
  /** The rules that the findings may name. */
  readonly rules: readonly Rule[]
}

/** Whether a cause is one of inconclusive findings, not of failures. */
export function isInconclusive({ findings: [first] }: Cause): boolean {
  return first.outcome !== 'fail'
}

/** How many checks an inconclusive cause affects: `11 live rules at 3 points`. */
export function describeExtent({ findings, waiting }: Cause): string {
  const all = [...findings, ...waiting]
  const ids = [...new Set(all.map(({ id }) => id))]
  const subjects = [...new Set(all.map(({ subject }) => describeSubject(subject)))]
  const [only = ''] = ids
  const groups = new Set(ids.map((id) => id.slice(0, id.indexOf('/'))))
  const [group = ''] = groups
  const rules = ids.length === 1 ? only : `${ids.length} ${groups.size === 1 ? `${group} ` : ''}rules`
  const points = all.every(({ subject }) => 'point' in subject) ? subjects : []
  if (points.length === 0) return rules
  return `${rules} at ${points.length === 1 ? points[0] : `${points.length} points`}`
}

/** The first ten consequences as text: `page/no-point https://www.example.com/`. */
export function listConsequences(consequences: readonly Finding[]): readonly string[] {
  return shorten(consequences.map(({ id, subject }) => `${id} ${describeSubject(subject)}`))
}

/** `config.json:9:5`, or the variable or argument; empty without a location. */
export function describeLocation({ location }: Finding): string {
  if (location === undefined) return ''
  const { file, line, column, pointer } = location
  return line === undefined ? `${file} ${pointer}` : `${file}:${line}:${column ?? 1}`
}

/** The reason of an inconclusive cause, how much it affects, and which rules. */
export function describeInconclusive(cause: Cause): string {
  const ids = [...new Set([...cause.findings, ...cause.waiting].map(({ id }) => id))]
  const names = ids.length > 1 ? `: ${shorten(ids, 2).join(', ')}` : ''
  return `${cause.findings[0].message} (${describeExtent(cause)}${names})`
}

export const MARKS: Readonly<Record<Weight, string>> = {
  error: '✖',
  warning: '▲',
  inconclusive: '?',
  info: '●',
  suppressed: '○',
  skipped: '–',
  pass: '✔',
}
