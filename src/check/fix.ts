import type { FrontEndName } from '../config/schema.ts'
import type { Advice } from '../front-ends/advisor.ts'
import { advisors } from '../front-ends/advisors.ts'
import { type Program, withCommand } from '../text/typed-command.ts'
import { recogniseFrontEnd } from './read/front-end.ts'
import type { LiveFact } from './read/live-fact.ts'

/** What to change, as a rule gives it. */
export interface Fix {
  /** What to do, as a sentence without full stop. */
  readonly what: string
  /** The command of this program that does it: `settings apply`. */
  readonly command?: string
  /** What to do instead, as a clause. */
  readonly otherwise?: string | undefined
  /** The URL that the config gets. Failures that need the same change of a URL have one cause. */
  readonly url?: string | undefined
  /** Whether the URL takes the place of the point's, and that alone is the fix. */
  readonly replacesPoint?: boolean
  /** Whether the config has the point that is missing, and this check leaves it out. */
  readonly isLeftOut?: boolean | undefined
  /** If a front end can be at fault. */
  readonly remedy?: Remedy
}

/** What to write in the config of a front end, for one kind of fault. */
export type Remedy = (advice: Advice) => string | readonly string[]

/** A front end, and what to write in its config. */
export type FrontEndLine = readonly [name: string, line: string]

/** What to change, as reports render it. */
export interface FindingFix extends Omit<Fix, 'remedy' | 'isLeftOut'> {
  /** For the front end of the point, or for each if it is not known. */
  readonly lines: readonly FrontEndLine[]
}

/** The fix of a finding; if the config doesn't name the front end, the answers of the point may show it. */
export function resolveFix(fix: Fix, fact?: LiveFact, named?: FrontEndName): FindingFix {
  const { remedy, isLeftOut: _, ...rest } = fix
  const frontEnd = named ?? (fact && recogniseFrontEnd(fact))?.name
  return { ...rest, lines: remedy === undefined ? [] : listRemedies(remedy, frontEnd) }
}

/** The lines of a remedy for this front end, or for each. */
export function listRemedies(remedy: Remedy, frontEnd?: FrontEndName): readonly FrontEndLine[] {
  const shown = advisors.filter(({ name }) => frontEnd === undefined || name === frontEnd)
  return shown.flatMap((advisor) =>
    [remedy(advisor)].flat().map((text) => {
      // Where it goes comes first: `in the server block: …`.
      const [, where = '', line = ''] = /^((?:in|with) [\w ]+: )?(.*)/s.exec(text) ?? []
      return [where === '' ? advisor.title : `${advisor.title}, ${where.slice(0, -2)}`, line] as const
    }),
  )
}

export function ruleOf({ point, serveAuthority = 'SERVE' }: LiveFact): Pick<Fix, 'remedy'> {
  return { remedy: (advice) => advice.route(point.path, serveAuthority) }
}

/** What to do, without the lines of the front ends. */
export function describeFix({ what, command, otherwise }: FindingFix, program?: Program): string {
  return `${withCommand(what, command, program)}${otherwise === undefined ? '' : `, or ${otherwise}`}`
}

/** The whole fix as one text, for reports without lists; empty if there is none. */
export function printWholeFix(fix: FindingFix | undefined): string {
  if (fix === undefined) return ''
  return [describeFix(fix), ...fix.lines.map(([name, line]) => `${name}: ${line}`)].join(' • ')
}
