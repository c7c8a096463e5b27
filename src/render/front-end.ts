import type { Part } from './part.ts'
import type { Site } from './site.ts'

/** One kind of server that a config can be rendered for. */
export interface FrontEnd {
  /** As it is typed: `nginx`. */
  readonly name: string
  /** As it calls itself: `NGINX`. */
  readonly title: string
  /** Whole sentence: what `render` makes and where it goes. */
  readonly output: string
  /** How the file is called that `render` makes. */
  readonly file: string
  /** The modes that it can't be rendered for, each with the reason, a clause without a full stop. */
  readonly without?: { readonly [Mode in 'route' | 'forward']?: string }
  /** Why a site can't be rendered for it, a clause without a full stop; `undefined` when it can. */
  readonly reasonAgainst?: (site: Site) => string | undefined
  /**
   * What stays different from what `serve` does, one sentence each. Where the conformance suite judges the front end,
   * only what the suite can't see.
   */
  readonly gaps: readonly string[]
  /** One text: a complete config, or the one file that a front end of this kind takes. */
  render(site: Site): string
  /** What a config that is there already takes in; absent where what `render` makes is such a file. */
  readonly parts?: (site: Site) => readonly Part[]
  /** The command that has the front end check its config and take it up. */
  readonly reload?: string
}
