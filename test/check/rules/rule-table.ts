import { describe, expect, it } from 'vitest'
import { describeSubject } from '../../../src/check/finding.ts'
import { rules } from '../../../src/check/rules/index.ts'
import { type Given, prefix } from '../a-config.ts'
import { checkGiven } from '../check-given.ts'

/** The point on an origin, or below its cookie path. */
export const at = (origin: string) => `${origin}${prefix}`

export const www = at('https://www.example.com')
export const wwwPage = 'https://www.example.com/'

/** What is given, and the subjects on which the rule fails. */
export type Row = readonly [given: Given, failing: readonly string[]]

/** Each of these points fails. */
export const fails = (points: readonly string[], given: Given = {}): Row => [{ points, ...given }, points]

/** Runs the tables of a group of rules; each of its offline rules must have one, in which it fails at least once. */
export function testRules(group: string, tables: Readonly<Record<string, readonly Row[]>>): void {
  describe.each(Object.entries(tables))('%s', (id, rows) => {
    it.each(rows)('%j fails on %j', (given, subjects) => {
      const failed = runOffline(given).filter((finding) => finding.id === id && finding.outcome === 'fail')
      expect(failed.map(({ subject }) => describeSubject(subject))).toEqual(subjects)
      for (const { fix, message } of failed) {
        expect(fix?.what).toMatch(/\S/)
        expect(`${fix?.what}${fix?.otherwise ?? ''}${message}`).not.toContain('undefined')
      }
    })
  })

  it(`every offline rule of ${group} has a table, and fails somewhere`, () => {
    const offline = rules.filter(({ id, needsPageVisits }) => id.startsWith(`${group}/`) && !needsPageVisits)
    expect(Object.keys(tables).sort()).toEqual(offline.map(({ id }) => id).sort())
    for (const rows of Object.values(tables))
      expect(rows.some(([, subjects]) => subjects.length > 0)).toBe(true)
  })
}

/** All findings of an offline check. */
export function runOffline(given: Given) {
  return checkGiven(given).findings
}
