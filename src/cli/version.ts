import { createRequire } from 'node:module'

const ownRequire = createRequire(import.meta.url)

const versionIn = (packageJson: string) => String(ownRequire(packageJson).version)

export const version = versionIn('../../package.json')

export const tool = { name: 'continuation-point', version }

/** The package of the Public Suffix List, which users update by itself; `undefined` if it shows no package.json. */
function readSuffixList(): string | undefined {
  try {
    return `tldts ${versionIn('tldts/package.json')}`
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
