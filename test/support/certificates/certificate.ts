import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of `NAME.pem` here. */
export function certificate(name: string): string {
  return fileURLToPath(new URL(`${name}.pem`, import.meta.url))
}

/** The text of `NAME.pem`. */
export function pemOf(name: string): string {
  return readFileSync(certificate(name), 'utf8')
}

/** `listen.tls` of a config. */
export function listenTls(name: string) {
  return { cert: `file:${certificate(`${name}.cert`)}`, key: `file:${certificate(`${name}.key`)}` }
}
