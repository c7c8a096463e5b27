import { existsSync } from 'node:fs'
import { join } from 'node:path'

const place = process.env.SCHEMAS ?? ''

/** The packages of a copy of this folder, installed: `test/README.md` says how. */
export const modules = join(place, 'node_modules')

/** What needs them reports as skipped where nobody named that copy; on CI it then fails. */
export const skipsSchemas = process.env.CI === undefined && (place === '' || !existsSync(modules))
