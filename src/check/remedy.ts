import type { Advice, Advisor } from '../front-ends/advisor.ts'
import { advisors } from '../front-ends/advisors.ts'
import { recogniseFrontEnd } from './read/front-end.ts'
import type { LiveFact } from './read/live-fact.ts'

/** What to write in the config of a front end, for one kind of fault. */
export type Remedy = (advice: Advice) => string

/** The lines of a remedy with the names of their front ends; the recognised one comes first. */
export function toRemedyLines(
  remedy: Remedy,
  recognised: Advisor | undefined,
): readonly (readonly [name: string, line: string])[] {
  const order = advisors.toSorted((a, b) => Number(b === recognised) - Number(a === recognised))
  return order.map((advisor) => [advisor.title, remedy(advisor)])
}

/**
 * A fix as one text: what to do, then what to write in each front end, that of the point first. Reports with room give
 * each its own line.
 */
export function withRemedy(what: string, fact: LiveFact, remedy: Remedy): string {
  const lines = toRemedyLines(remedy, recogniseFrontEnd(fact)).map(([name, line]) => `${name}: ${line}`)
  return [what, ...lines].join(LINE_MARK)
}

/** What is wrong, and what to change. */
export interface Diagnosis {
  readonly what: string
  readonly fix: string
  /** If a front end can be at fault. */
  readonly remedy?: Remedy
}

/** Separates the lines of the front ends in a fix. */
export const LINE_MARK = ' • '
