import { existsSync } from 'node:fs'
import { join } from 'node:path'

const place = process.env.SCHEMAS ?? ''

/** The packages of a copy of this folder, installed: `test/README.md` says how. */
export const modules = join(place, 'node_modules')

/** Without that copy, tests that need it are skipped, and fail on CI. */
export const skipsSchemas = process.env.CI === undefined && (place === '' || !existsSync(modules))
