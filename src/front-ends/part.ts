import type { FrontEndName } from '../config/schema.ts'
import { HOP_BY_HOP_NAMES } from '../http/hop-by-hop.ts'
import { quotePath } from '../text/typed-command.ts'
import { RESPONSE_REMOVED, requestRemoved, underscoreAliases } from './fields.ts'
import { listKeyNames } from './origins.ts'
import type { Site } from './site.ts'

/** A kind of server in front of a site: what we write for it. What `check` knows of it is its `Advisor`. */
export interface FrontEnd {
  /** Its name on the command line: `nginx`. */
  readonly name: FrontEndName
  /** Its name as its vendor writes it: `Apache httpd`. */
  readonly title: string
  /**
   * Renders what its config includes or takes up.
   *
   * @param folder of the existing config, where the parts go; by default the one of `home`
   */
  readonly parts: (site: Site, folder?: string) => readonly Part[]
  /** The folder of its config on Debian, and the config's name there. */
  readonly home: { readonly folder: string; readonly file: string }
  /** Tests the config, and applies it. */
  readonly apply: (folder: string) => string
  /** What is removed from the config before the files go, as a clause: `remove the include`. */
  readonly undo: string
}

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
  const what = isRoute ? '`continuation-point serve`' : 'the service, with the required headers'
  return { file, about: `For every point: forwards to ${what}`, steps: isRoute ? [] : [keys], lines }
}

/** Which fields do not pass, for a front end that removes those of a hop itself. */
export function removalPart(
  file: string,
  site: Site,
  toLine: Readonly<Record<'request' | 'response', (name: string) => string>>,
): Part {
  return {
    file,
    about: 'For every point: lists the headers that do not pass',
    steps: [],
    lines: [
      '# What a visitor must not set, and what the request claims about its route.',
      ...[...underscoreAliases(site), ...requestRemoved(site)]
        .filter((name) => !HOP_BY_HOP_NAMES.includes(name))
        .map(toLine.request),
      '# What would affect more of the site than this response.',
      ...RESPONSE_REMOVED.map(toLine.response),
    ],
  }
}

/** What the user writes for each widget key. */
export function keyStep(what: string, { origins }: Site, toLine: (keyName: string) => string): Step {
  return { what, lines: listKeyNames(origins).map(toLine) }
}

/** The texts of all parts, and what is left to do with them, which the first of them says too. */
export function renderFiles({ name, parts, home, apply, undo }: FrontEnd, site: Site, folder = home.folder) {
  const made = parts(site, folder)
  const last: readonly Step[] = [
    { what: 'Then test the config and apply it', lines: [apply(quotePath(folder))] },
    {
      what: `To take it back, ${undo}, reload, and delete`,
      lines: made.map(({ file }) => quotePath(`${folder}/${file}`)),
    },
  ]
  return {
    files: made.map((part, at) => ({ path: part.file, text: renderPart(part, name, at === 0 ? last : []) })),
    steps: [...made.flatMap(({ steps }) => steps), ...last],
  }
}

/** The text of a part, after a comment with its name and use. */
export function renderPart(
  { file, about, steps, lines }: Part,
  frontEnd: string,
  last: readonly Step[] = [],
): string {
  const todo = [...steps, ...last].flatMap(({ what, lines: written }) => [
    `${what}:`,
    ...written.map((line) => `  ${line}`),
  ])
  const head = [`${file}, ${MARK} ${frontEnd}`, `${about}.`, ...todo].map((line) => `# ${line}`)
  return `${[...head, ...lines].join('\n')}\n`
}

/** A comment in every rendered file contains this text, so that `render` recognises its own files. */
export const MARK = 'made by continuation-point render'
