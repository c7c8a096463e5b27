import { fileFault } from '../config/file-fault.ts'
import { parseCertificates } from '../probe/trust.ts'
import type { Io } from './io.ts'

/** The certificates of `--ca-file` in PEM; `undefined` without the flag. */
export async function loadCertificates(
  path: string | undefined,
  io: Io,
): Promise<readonly string[] | undefined | { readonly fault: string }> {
  if (path === undefined) return undefined
  try {
    const certificates = parseCertificates(await io.readFile(path))
    return certificates ?? { fault: `--ca-file ${path} contains no readable certificate: it must be PEM` }
  } catch (error) {
    return { fault: `--ca-file ${path} can't be read: ${fileFault(error, 'read')}` }
  }
}
