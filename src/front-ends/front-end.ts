import type { FrontEndName } from '../config/schema.ts'
import type { Part, Step } from './part.ts'
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
  /** What is left to do after the steps of the parts: tests the config and applies it. */
  readonly lastStep: (folder: string) => Step
}
