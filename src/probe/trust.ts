import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'

/** Certificate authorities given by the user: `only` instead of those that Node ships, `also` in addition to them. */
export interface Trust {
  readonly kind: 'only' | 'also'
  /** PEM. */
  readonly certificates: readonly string[]
}

/** The certificates in a PEM file, among whatever else; `undefined` if there are none, or one can't be read. */
export function parseCertificates(text: string): readonly string[] | undefined {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g)
  return blocks?.every(isCertificate) ? blocks : undefined
}

/** The `ca` option of Node's TLS; `undefined` means its own list. */
export function chooseAuthorities(trust: Trust | undefined): string[] | undefined {
  if (trust === undefined || trust.certificates.length === 0) return undefined
  return trust.kind === 'only' ? [...trust.certificates] : [...rootCertificates, ...trust.certificates]
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0
  } catch {
    return false
  }
}
