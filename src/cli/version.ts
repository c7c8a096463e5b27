import { createRequire } from 'node:module'

const ownRequire = createRequire(import.meta.url)

export const version: string = readVersion(ownRequire('../../package.json'))

export const tool = { name: 'continuation-point', version }

/**
 * The package with the Public Suffix List, with the version that is installed: users update it by itself. It is read when
 * it is shown; `undefined` if the package no longer shows its package.json.
 */
function readSuffixList(): string | undefined {
  try {
    return `tldts ${readVersion(ownRequire('tldts/package.json'))}`
  } catch {
    return undefined
  }
}

/** How reports name this program that were made by the list. */
export function readTool() {
  return { ...tool, suffixList: readSuffixList() }
}

/** For `--version`: the first line is the version alone. */
export function renderVersion(): string {
  const suffixList = readSuffixList()
  return `${version}\n${suffixList === undefined ? '' : `Public Suffix List of ${suffixList}\n`}`
}

function readVersion(packageJson: unknown): string {
  if (typeof packageJson !== 'object' || packageJson === null || !('version' in packageJson)) {
    throw new Error('package.json has no version')
  }
  return String(packageJson.version)
}
