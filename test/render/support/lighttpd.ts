import { existsSync } from 'node:fs'
import type { RealServer } from './real-server.ts'

/** Debian packs TLS and compression apart. */
export const lighttpd: RealServer = {
  name: 'lighttpd',
  binary: '/usr/sbin/lighttpd',
  keyFiles: () => ({}),
  check: (file) => ['-tt', '-f', file],
  run: (file) => ['-D', '-f', file],
  env: () => ({}),
}

/** Only where it is not installed, and never on CI. */
export const skipsLighttpd = !existsSync(lighttpd.binary) && process.env.CI === undefined
