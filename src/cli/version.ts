import { createRequire } from 'node:module'

/** The version of this package, as its package.json says. */
export const version: string = readVersion(createRequire(import.meta.url)('../../package.json'))

function readVersion(packageJson: unknown): string {
  if (typeof packageJson !== 'object' || packageJson === null || !('version' in packageJson)) {
    throw new Error('package.json holds no version')
  }
  return String(packageJson.version)
}
