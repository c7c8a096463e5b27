import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startUpstream } from '../support/recording-upstream.ts'
import { startProxy } from '../support/start-proxy.ts'

const certificate = (name: string) => new URL(`../support/certificates/${name}.pem`, import.meta.url)

it('a connection that never finishes its TLS handshake does not outlive a hard stop', async () => {
  const upstream = await startUpstream()
  const [cert, key] = await Promise.all(
    ['service.cert', 'service.key'].map((name) => readFile(certificate(name), 'utf8')),
  )
  const proxy = await startProxy(upstream.origin, { listen: { tls: { cert, key } } })
  const silent = connect(proxy.port, '127.0.0.1')
  await new Promise((resolve) => silent.once('connect', resolve))
  silent.on('error', () => {})
  const closed = new Promise((resolve) => silent.once('close', resolve))
  await proxy.close()
  expect(await closed).toBe(false)
  await upstream.close()
})
