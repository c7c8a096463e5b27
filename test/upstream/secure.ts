import type { TlsOptions } from 'node:tls'
import { certificate, pemOf } from '../support/certificates/certificate.ts'
import type { SceneOptions } from './scene.ts'

/** A service on localhost with one of the test certificates. */
export function secure(name: string, authority = 'trusted', more: TlsOptions = {}): SceneOptions {
  return {
    upstream: { tls: { cert: pemOf(`${name}.cert`), key: pemOf(`${name}.key`), ...more } },
    serviceUrl: ({ port }) => `https://localhost:${port}`,
    config: authority === 'trusted' ? { service: { ca: `file:${certificate('authority.cert')}` } } : {},
  }
}
