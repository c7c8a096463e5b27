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
  return target.kind === 'route'
    ? { file, about: 'For every point: forwards to `continuation-point serve`', steps: [], lines }
    : {
        file,
        about: 'For every point: forwards to the service, with the required fields',
        steps: [keys],
        lines,
      }
}

/** What the user writes for each widget key. */
export function keyStep(what: string, { origins }: Site, toLine: (keyName: string) => string): Step {
  return { what, lines: listKeyNames(origins).map(toLine) }
}

/** The text of a part, after a comment with its name and use. All front ends with parts use `#` for comments. */
export function renderPart({ file, about, steps, lines }: Part, frontEnd: string): string {
  const head = [
    `# ${file}, ${MARK} ${frontEnd}`,
    `# ${about}.`,
    ...steps.flatMap(({ what, lines: written }) => [`# ${what}:`, ...written.map((line) => `#   ${line}`)]),
  ]
  return `${[...head, ...lines].join('\n')}\n`
}

/** The text of a front end's only file, with the mark at its end, where every format permits a comment. */
export function renderFile(file: string, lines: readonly string[], frontEnd: string): string {
  const text = `${lines.join('\n')}\n`
  const mark = `${MARK} ${frontEnd}`
  if (file.endsWith('.config')) return `${text}<!-- ${mark} -->\n`
  return `${text}${COMMENT_STARTS[file.replace(/^.*\./, '')] ?? '#'} ${mark}\n`
}

/** How a comment starts, by file extension; in all other files with `#`. */
const COMMENT_STARTS: Readonly<Record<string, string>> = { lua: '--', mjs: '//', vcl: '//' }

/** A comment in every rendered file contains this text, so that `render` recognises its own files. */
export const MARK = 'made by continuation-point render'
