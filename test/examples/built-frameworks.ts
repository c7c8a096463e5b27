import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The frameworks that are too large for every checkout, and the folder that the build of a site makes. */
export const BUILT: Readonly<Record<string, string>> = { next: '.next', nuxt: '.output', sveltekit: 'build' }

/** A copy of the folder frameworks, installed and built: `test/README.md` says how. */
export const place = process.env.FRAMEWORKS ?? ''

/** Without that copy, the tests of the frameworks are skipped, and fail on CI. */
export const skipsFrameworks =
  process.env.CI === undefined &&
  Object.entries(BUILT).some(([name, output]) => !existsSync(join(place, name, output)))
