import type { FrontEnd } from './read/front-end.ts'

/** What to write in the config of each front end, for one kind of fault. */
export type Remedy = Readonly<Record<FrontEnd, string>>

/** The names as their makers write them. */
export const FRONT_END_NAMES: Readonly<Record<FrontEnd, string>> = {
  nginx: 'nginx',
  apache: 'Apache',
  caddy: 'Caddy',
  haproxy: 'HAProxy',
  mounted: 'mounted in an app',
}

/** The lines of a remedy with their front ends; the one that was recognised comes first. */
export function toRemedyLines(
  remedy: Remedy,
  recognised: FrontEnd | undefined,
): readonly (readonly [name: string, line: string])[] {
  const order = ALL.toSorted((a, b) => Number(b === recognised) - Number(a === recognised))
  return order.map((frontEnd) => [FRONT_END_NAMES[frontEnd], remedy[frontEnd]])
}

/** A fix in one text: what to do, and what to write in each front end. Where there is room, each gets its own line. */
export function withRemedy(what: string, remedy: Remedy, recognised: FrontEnd | undefined): string {
  const lines = toRemedyLines(remedy, recognised).map(([name, line]) => `${name}: ${line}`)
  return [what, ...lines].join(LINE_MARK)
}

/** Stands before the line of each front end in a fix. */
export const LINE_MARK = ' • '

const ALL: readonly FrontEnd[] = ['nginx', 'apache', 'caddy', 'haproxy', 'mounted']
