import type { Site } from './site.ts'

/** One kind of server that a config can be rendered for. */
export interface FrontEnd {
  /** As it is typed: `nginx`. */
  readonly name: string
  /** As it calls itself: `NGINX`. */
  readonly title: string
  /** Whole sentence: what the text is and where it goes. */
  readonly output: string
  /** The modes that it can't be rendered for, each with the reason, a clause without a full stop. */
  readonly without?: { readonly [Mode in 'route' | 'forward']?: string }
  /** What stays different from what `serve` does, one sentence each. */
  readonly gaps: readonly string[]
  render(site: Site): string
}
