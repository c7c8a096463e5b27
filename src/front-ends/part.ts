import { listKeyNames } from './origins.ts'
import type { Site } from './site.ts'

/** One file for an existing config to include, or whose lines are pasted into it. */
export interface Part {
  /** Below the folder of the front end's config: `snippets/continuation-point.conf`. */
  readonly file: string
  /** One line, without a full stop at its end. */
  readonly about: string
  /** What the user has to do so that the front end reads it; empty if another part includes it. */
  readonly steps: readonly Step[]
  readonly lines: readonly string[]
}

export interface Step {
  /** A clause with its place first, without a colon: `In the frontend of www.example.com`. */
  readonly what: string
  /** Lines to paste or run. */
  readonly lines: readonly string[]
}

/** What all points have in common. `keys` puts the widget keys where the front end finds them. */
export function pointPart(file: string, { target }: Site, keys: Step, lines: readonly string[]): Part {
  const isRoute = target.kind === 'route'
  const what = isRoute ? '`continuation-point serve`' : 'the service, with the required fields'
  return { file, about: `For every point: forwards to ${what}`, steps: isRoute ? [] : [keys], lines }
}

/** What the user writes for each widget key. */
export function keyStep(what: string, { origins }: Site, toLine: (keyName: string) => string): Step {
  return { what, lines: listKeyNames(origins).map(toLine) }
}

/** The text of a part, after a comment with its name and use. */
export function renderPart({ file, about, steps, lines }: Part, frontEnd: string): string {
  const todo = steps.flatMap(({ what, lines: written }) => [
    `${what}:`,
    ...written.map((line) => `  ${line}`),
  ])
  const head = [`${file}, ${MARK} ${frontEnd}`, `${about}.`, ...todo].map((line) => `# ${line}`)
  return `${[...head, ...lines].join('\n')}\n`
}

/** A comment in every rendered file contains this text, so that `render` recognises its own files. */
export const MARK = 'made by continuation-point render'
