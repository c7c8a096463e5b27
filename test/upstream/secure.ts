import { readFileSync } from 'node:fs'
import type { TlsOptions } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { SceneOptions } from './scene.ts'

/** A service on localhost with one of the test certificates. */
export function secure(certificate: string, authority = 'trusted', more: TlsOptions = {}): SceneOptions {
  return {
    upstream: {
      tls: {
        cert: readFileSync(pathOf(`${certificate}.cert.pem`)),
        key: readFileSync(pathOf(`${certificate}.key.pem`)),
        ...more,
      },
    },
    serviceUrl: ({ port }) => `https://localhost:${port}`,
    config: authority === 'trusted' ? { service: { ca: `file:${pathOf('authority.cert.pem')}` } } : {},
  }
}

/** Path of a file of test/support/certificates. */
export function pathOf(file: string): string {
  return fileURLToPath(new URL(`../support/certificates/${file}`, import.meta.url))
}
