/** One file that a config which is there already includes, or whose lines are pasted into it. */
export interface Part {
  /** Below the folder of the front end's config: `snippets/continuation-point.conf`. */
  readonly file: string
  /** One line, without a full stop at its end. */
  readonly about: string
  /** What is still to be done so that the front end reads it; none where another part includes it. */
  readonly steps: readonly Step[]
  readonly lines: readonly string[]
}

/** Something that a person does once. */
export interface Step {
  /** A clause with its place first, without a colon: `In the server block of www.example.com`. */
  readonly what: string
  /** To be pasted or run as they are. */
  readonly lines: readonly string[]
}

/** The text of a part, its own name and use in a comment in front. Comments begin with `#` in all that have parts. */
export function toPartText({ file, about, steps, lines }: Part, frontEnd: string): string {
  const head = [
    `# ${file}, ${MARK} ${frontEnd}`,
    `# ${about}.`,
    ...steps.flatMap(({ what, lines: written }) => [`# ${what}:`, ...written.map((line) => `#   ${line}`)]),
  ]
  return `${[...head, ...lines].join('\n')}\n`
}

/** A text that is one whole file, with the mark at its end, where every format takes a comment. */
export function toWholeText(file: string, text: string, frontEnd: string): string {
  const mark = `${MARK} ${frontEnd}`
  if (file.endsWith('.config')) return `${text}<!-- ${mark} -->\n`
  return `${text}${/\.(?:mjs|vcl)$/.test(file) ? '//' : '#'} ${mark}\n`
}

/** Stands in a comment of every file of ours, and tells it from one of somebody else. */
export const MARK = 'made by continuation-point render'
