import type { Finding } from '../finding.ts'

/** One of the three sides of a setting, with a line for each of its values. */
export interface Column {
  readonly side: 'config' | 'account' | 'observed'
  readonly lines: readonly string[]
}

/** What the config wants, what the account says and what was observed; empty for findings of other kinds. */
export function toColumns({ evidence }: Finding): readonly Column[] {
  if (!SIDES.every((side) => Object.hasOwn(evidence, side))) return []
  return SIDES.map((side) => ({ side, lines: toLines(evidence[side]) }))
}

function toLines(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? ['none'] : value.map(String)
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.entries(value).map(([name, each]) => `${name} ${String(each)}`)
}

const SIDES = ['config', 'account', 'observed'] as const
