import { type FrontEnd, recogniseFrontEnd } from './read/front-end.ts'
import type { LiveFact } from './read/live-fact.ts'

/** What to write in the config of each front end, for one kind of fault. */
export type Remedy = Readonly<Record<FrontEnd, string>>

/** The names as their vendors write them. */
export const FRONT_END_NAMES: Readonly<Record<FrontEnd, string>> = {
  nginx: 'nginx',
  apache: 'Apache',
  caddy: 'Caddy',
  haproxy: 'HAProxy',
  mounted: 'mounted in an app',
}

/** The lines of a remedy with the names of their front ends; the recognised one comes first. */
export function toRemedyLines(
  remedy: Remedy,
  recognised: FrontEnd | undefined,
): readonly (readonly [name: string, line: string])[] {
  const order = ALL.toSorted((a, b) => Number(b === recognised) - Number(a === recognised))
  return order.map((frontEnd) => [FRONT_END_NAMES[frontEnd], remedy[frontEnd]])
}

/**
 * A fix as one text: what to do, then what to write in each front end, that of the point first. Reports with room give
 * each its own line.
 */
export function withRemedy(what: string, remedy: Remedy, fact: LiveFact): string {
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

const ALL: readonly FrontEnd[] = ['nginx', 'apache', 'caddy', 'haproxy', 'mounted']
