import type { FrontEndName } from '../config/schema.ts'
import type { advisor as nginx } from './nginx/advisor.ts'

/** How `check` knows a front end by its answers, and what it advises for it. */
export interface Advisor extends Advice {
  /** As the config names it. */
  readonly name: FrontEndName
  /** Its name in findings: `Apache`. */
  readonly title: string
  /** Its name in Server and Via. */
  readonly field?: RegExp
  /** What its own error pages contain near their start. */
  readonly errorPage?: RegExp
  /** Its own 503 tells of a limit or of maintenance; that of others, that what they forward to is gone. */
  readonly limitsBy503?: true
}

/** What to write in the config, by what has to change there, which is said at the lines for nginx. */
export interface Advice
  extends Readonly<Omit<typeof nginx, 'name' | 'title' | 'field' | 'errorPage' | 'limitsBy503'>> {}
