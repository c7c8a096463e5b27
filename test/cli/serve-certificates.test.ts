import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { run } from '../../src/cli/run.ts'
import { pemOf } from '../support/certificates/certificate.ts'
import { fakeIo } from './fake-io.ts'

const garbled = (label: string) => `-----BEGIN ${label}-----\nTUlJQg==\n-----END ${label}-----\n`

const files = {
  cert: pemOf('service.cert'),
  'key of another': pemOf('expired.key'),
  'key of another type': generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString(),
  'garbled cert': garbled('CERTIFICATE'),
  'garbled key': garbled('PRIVATE KEY'),
  'good, then garbled': `${pemOf('authority.cert')}${garbled('CERTIFICATE')}`,
}

it.each<[string, Record<string, unknown>, RegExp]>([
  [
    'a key of another certificate',
    { listen: { tls: { cert: 'file:cert', key: 'file:key of another' } } },
    /\/listen\/tls\/key.*does not belong to the certificate/,
  ],
  [
    'a garbled certificate',
    { listen: { tls: { cert: 'file:garbled cert', key: 'file:key of another' } } },
    /\/listen\/tls\/cert.*can't be read as a certificate/,
  ],
  [
    'a garbled key',
    { listen: { tls: { cert: 'file:cert', key: 'file:garbled key' } } },
    /\/listen\/tls\/key.*can't be read as a private key/,
  ],
  [
    'a garbled authority',
    { service: { url: 'https://localhost', ca: 'file:garbled cert' } },
    /\/service\/ca.*can't be read as a certificate/,
  ],
  [
    'a garbled authority after a good one',
    { service: { url: 'https://localhost', ca: 'file:good, then garbled' } },
    /\/service\/ca.*can't be read as a certificate/,
  ],
  [
    'a key of another type',
    { listen: { tls: { cert: 'file:cert', key: 'file:key of another type' } } },
    /\/listen\/tls\/key.*does not belong to the certificate/,
  ],
])('serve refuses %s, and names the place', async (_what, changes, message) => {
  const config = {
    service: { url: 'https://localhost' },
    widgetKey: 'test-widget-key',
    points: ['https://www.example.com/service_cookie_transfer/'],
    ...changes,
  }
  const io = fakeIo({ ...files, 'config.json': JSON.stringify(config) })
  expect([await run(['serve'], io), io.written.stdout]).toEqual([2, ''])
  expect(io.written.stderr).toMatch(message)
  expect(io.written.stderr).not.toMatch(/ERR_OSSL|TUlJQg|\n\s+at /)
})
