import { fileFault } from '../config/file-fault.ts'
import { type NameOverride, parseNameOverride } from '../probe/name-override.ts'
import type { Io } from './io.ts'

/** The certificates of `--ca-file` in PEM; `undefined` without the flag. */
export async function loadCertificates(path: string | undefined, io: Pick<Io, 'readFile'>) {
  if (path === undefined) return undefined
  // It loads node:tls.
  const { parseCertificates } = await import('../probe/trust.ts')
  try {
    const certificates = parseCertificates(await io.readFile(path))
    return certificates ?? { message: `--ca-file ${path} contains no readable certificate: it must be PEM` }
  } catch (error) {
    return { message: `--ca-file ${path} can't be read: ${fileFault(error, 'read')}` }
  }
}

/** The addresses of `--resolve`. */
export function parseOverrides(
  words: readonly string[],
): { readonly overrides: readonly NameOverride[] } | { readonly faults: readonly string[] } {
  const parsed = words.map((word) => ({ word, override: parseNameOverride(word) }))
  const faults = parsed.flatMap(({ word, override }) =>
    typeof override === 'string' ? [`--resolve ${JSON.stringify(word)}: ${override}`] : [],
  )
  if (faults.length > 0) return { faults }
  return { overrides: parsed.flatMap(({ override }) => (typeof override === 'string' ? [] : [override])) }
}
