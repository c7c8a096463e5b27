import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProgram } from '../support/program.ts'

const pem = (name: string) =>
  `file:${fileURLToPath(new URL(`../support/certificates/${name}.pem`, import.meta.url))}`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuation-point-'))
  for (const label of ['CERTIFICATE', 'PRIVATE KEY'])
    await writeFile(join(folder, label), `-----BEGIN ${label}-----\nTUlJQg==\n-----END ${label}-----\n`)
  const good = await readFile(pem('authority.cert').slice('file:'.length), 'utf8')
  const garbage = await readFile(join(folder, 'CERTIFICATE'), 'utf8')
  await writeFile(join(folder, 'good, then garbage'), `${good}${garbage}`)
})
afterAll(() => rm(folder, { recursive: true }))

describe('serve refuses certificates that no handshake could use, and names the place', () => {
  it.each<[string, () => Record<string, unknown>, RegExp]>([
    [
      'a key of another certificate',
      () => ({ listen: { port: 0, tls: { cert: pem('service.cert'), key: pem('expired.key') } } }),
      /\/listen\/tls\/key.*does not belong to the certificate/,
    ],
    [
      'a garbled certificate',
      () => ({ listen: { port: 0, tls: { cert: `file:${folder}/CERTIFICATE`, key: pem('expired.key') } } }),
      /\/listen\/tls\/cert.*can't be read as a certificate/,
    ],
    [
      'a garbled key',
      () => ({ listen: { port: 0, tls: { cert: pem('service.cert'), key: `file:${folder}/PRIVATE KEY` } } }),
      /\/listen\/tls\/key.*can't be read as a private key/,
    ],
    [
      'a garbled authority',
      () => ({ service: { url: 'https://localhost', ca: `file:${folder}/CERTIFICATE` } }),
      /\/service\/ca.*can't be read as a certificate/,
    ],
    [
      'a garbled authority after a good one',
      () => ({ service: { url: 'https://localhost', ca: `file:${folder}/good, then garbage` } }),
      /\/service\/ca.*can't be read as a certificate/,
    ],
  ])('%s', async (name, changes, message) => {
    const file = join(folder, `${name}.json`)
    const config = {
      service: { url: 'https://localhost' },
      widgetKey: 'test-widget-key',
      points: ['https://www.example.com/service_cookie_transfer/'],
      listen: { port: 0 },
      admin: null,
      workers: 2,
      ...changes(),
    }
    await writeFile(file, JSON.stringify(config))
    const program = startProgram(['serve', '--config', file])
    expect([await program.ended(), program.stdout()]).toEqual([2, ''])
    expect(program.stderr()).toMatch(message)
    expect(program.stderr()).not.toMatch(/ERR_OSSL|TUlJQg|\n\s+at /)
  })
})
