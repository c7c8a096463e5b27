import type { FrontEndName } from '../config/front-end-names.ts'
import type { Part, Step } from './part.ts'
import type { Site } from './site.ts'

/** A kind of server in front of a site: what we write for it. What `check` knows of it is its `Advisor`. */
export interface FrontEnd {
  /** Its name on the command line: `nginx`. */
  readonly name: FrontEndName
  /** Its name as its vendor writes it: `Apache httpd`. */
  readonly title: string
  /** What `render` makes and where it goes, as a sentence. */
  readonly output: string
  /** The modes that are not supported, each with the reason, as a clause. */
  readonly without?: { readonly [Mode in 'route' | 'forward']?: string }
  /** Why a site can't be rendered for it, as a clause; `undefined` if it can. */
  readonly reasonAgainst?: (site: Site) => string | undefined
  /**
   * Differences from `serve`, one sentence each. If the conformance suite covers the front end, only those that the suite
   * can't detect.
   */
  readonly gaps: readonly string[]
  /**
   * Renders what its config includes or takes up, or a file of its own.
   *
   * @param folder of the existing config, where the parts go; by default the one of `home`
   */
  readonly parts: (site: Site, folder?: string) => readonly Part[]
  /** The folder of its config on Debian, and the config's name there; absent if no other file includes its own. */
  readonly home?: { readonly folder: string; readonly file: string }
  /** What is left to do after the steps of the parts: tests the config and applies it. */
  readonly lastStep?: (folder: string) => Step
}
