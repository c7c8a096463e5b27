import { type Fields, valuesOf } from '../../../../src/http/fields.ts'
import { count } from '../../../../src/text/prose.ts'
import type { CaseResponse } from './run.ts'

/*
 * Descriptions of observations for the report: sizes and counts of data from others, never the data.
 */

/** The status, or why there is none. */
export function describeReply(reply: CaseResponse): string {
  return reply.kind === 'none' ? `no response (${reply.code})` : `status ${reply.status}`
}

/** The values of a field, by its name in any case. */
export function linesOf(fields: Fields, name: string): readonly string[] {
  return valuesOf(fields, name.toLowerCase())
}

/** How two bodies differ; `undefined` if they don't. */
export function difference(seen: string, expected: string): string | undefined {
  if (seen === expected) return undefined
  return seen.length === expected.length
    ? `${seen.length} bytes, but different ones`
    : `${count(seen.length, 'byte')} instead of ${expected.length}`
}

/** How the lines of one field differ; `undefined` if they don't. */
export function lineDifference(seen: readonly string[], expected: readonly string[]): string | undefined {
  if (seen.length !== expected.length) return `${count(seen.length, 'line')} instead of ${expected.length}`
  const at = seen.findIndex((value, index) => value !== expected[index])
  return at === -1 ? undefined : `a different value in line ${at + 1}`
}

/** A short text without control characters. */
export function shown(text: string): string {
  const visible = text.replace(/[^\x20-\x7e]/g, '\ufffd')
  return `"${visible.length > SHOWN_LENGTH ? `${visible.slice(0, SHOWN_LENGTH)}…` : visible}"`
}

const SHOWN_LENGTH = 120
