import { existsSync } from 'node:fs'
import type { RealServer } from './real-server.ts'
import type { RoutingServer } from './routed-front-end.ts'
import { certificateFile } from './typical-site.ts'

export const h2o: RealServer = {
  name: 'h2o',
  binary: '/usr/bin/h2o',
  check: (file) => ['-t', '-c', file],
  run: (file) => ['-m', 'worker', '-c', file],
  env: () => ({}),
}

/** Only where it is not installed, and never on CI. */
export const skipsH2o = !existsSync(h2o.binary) && process.env.CI === undefined

/** The rendered hosts in a config with a listener. */
export const h2oSite: RoutingServer = toSite('')

/** With TLS it speaks HTTP/2 too. */
export const h2oTlsSite: RoutingServer = toSite(`  ssl:
    certificate-file: ${certificateFile('service', 'cert')}
    key-file: ${certificateFile('service', 'key')}
`)

function toSite(tls: string): RoutingServer {
  return {
    name: 'h2o',
    toServer: () => h2o,
    toFiles: (text, port) => () => ({
      'server.conf': `num-threads: 1
listen:
  host: 127.0.0.1
  port: ${port}
${tls}${text}`,
    }),
  }
}
