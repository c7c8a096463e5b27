import type { FrontEndName } from '../config/front-end-names.ts'
import type { Advice, Advisor } from '../front-ends/advisor.ts'
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
  /** If a front end can be at fault. */
  readonly remedy?: Remedy
}

/** What to write in the config of a front end, for one kind of fault. */
export type Remedy = (advice: Advice) => string

/** A front end, and what to write in its config. */
export type FrontEndLine = readonly [name: string, line: string]

/** What to change, as reports render it. */
export interface FindingFix extends Omit<Fix, 'remedy'> {
  /** For the front end of the point, or for each if it is not known. */
  readonly lines: readonly FrontEndLine[]
}

/** The fix of a finding; if the config doesn't name the front end, the answers of the point may show it. */
export function toFindingFix({ remedy, ...fix }: Fix, fact?: LiveFact, named?: FrontEndName): FindingFix {
  return { ...fix, lines: remedy === undefined ? [] : toRemedyLines(remedy, fact, named) }
}

/** The lines of a remedy: for the front end that is named, else for the one of the point, else for each. */
export function toRemedyLines(
  remedy: Remedy,
  fact?: LiveFact,
  named?: FrontEndName,
): readonly FrontEndLine[] {
  const known = named === undefined ? fact && recogniseFrontEnd(fact) : findAdvisor(named)
  if (named !== undefined && known === undefined) return [[named, `as render ${named} writes it`]]
  return (known === undefined ? advisors : [known]).map((advisor) => [advisor.title, remedy(advisor)])
}

function findAdvisor(named: FrontEndName): Advisor | undefined {
  return advisors.find(({ name }) => name === named)
}

/** What to do, without the lines of the front ends. */
export function toFixSentence({ what, command, otherwise }: FindingFix, program?: Program): string {
  return `${withCommand(what, command, program)}${otherwise === undefined ? '' : `, or ${otherwise}`}`
}

/** The whole fix as one text, for reports without lists. */
export function toFixText(fix: FindingFix): string {
  return [toFixSentence(fix), ...fix.lines.map(([name, line]) => `${name}: ${line}`)].join(' • ')
}
