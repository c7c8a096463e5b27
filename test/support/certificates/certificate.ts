import { fileURLToPath } from 'node:url'

/** The path of `NAME.pem` here. */
export function certificate(name: string): string {
  return fileURLToPath(new URL(`${name}.pem`, import.meta.url))
}
