import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'

/** Certificate authorities of one's own: `only` in place of the ones that Node brings, `also` beside them. */
export interface Trust {
  readonly kind: 'only' | 'also'
  /** PEM. */
  readonly certificates: readonly string[]
}

/**
 * Reads the certificates of a PEM file; other blocks and text between them are passed over.
 *
 * @returns `undefined` when there is none, or one that can't be read
 */
export function parseCertificates(text: string): readonly string[] | undefined {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g)
  return blocks?.every(isCertificate) ? blocks : undefined
}

/** What Node's TLS takes as `ca`; `undefined` stands for its own list. */
export function toCa(trust: Trust | undefined): string[] | undefined {
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
