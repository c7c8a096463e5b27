import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of `NAME.pem` here. */
export function certificate(name: string): string {
  return fileURLToPath(new URL(`${name}.pem`, import.meta.url))
}

export function readCertificate(name: string): string {
  return readFileSync(certificate(name), 'utf8')
}
