import { createRequire } from 'node:module'

/** The version of this package, from its package.json. */
export const version: string = readVersion(createRequire(import.meta.url)('../../package.json'))

/** How reports name this program. */
export const tool = { name: 'continuation-point', version }

function readVersion(packageJson: unknown): string {
  if (typeof packageJson !== 'object' || packageJson === null || !('version' in packageJson)) {
    throw new Error('package.json has no version')
  }
  return String(packageJson.version)
}
