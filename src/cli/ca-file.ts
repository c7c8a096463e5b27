import { readFaultReason } from '../config/read-fault.ts'
import { parseCertificates } from '../probe/trust.ts'
import type { Io } from './io.ts'

/** The certificates of `--ca-file`: PEM texts, `undefined` without the flag, or what is wrong with the file. */
export async function loadCertificates(
  path: string | undefined,
  io: Io,
): Promise<readonly string[] | undefined | { readonly fault: string }> {
  if (path === undefined) return undefined
  try {
    const certificates = parseCertificates(await io.readFile(path))
    return certificates ?? { fault: `--ca-file ${path} holds no certificate that can be read: it takes PEM` }
  } catch (error) {
    return { fault: `--ca-file ${path} can't be read: ${readFaultReason(error)}` }
  }
}
