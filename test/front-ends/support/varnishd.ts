import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RealServer } from './real-server.ts'
import type { RoutingServer } from './routed-front-end.ts'

export const VARNISHD = '/usr/sbin/varnishd'

/** Only where it is not installed, and never on CI. */
export const skipsVarnish = !existsSync(VARNISHD) && process.env.CI === undefined

/** Varnish, started as the comment in the text says. */
export function varnishd(text: string, port: number): RealServer {
  const parameters = [...text.matchAll(/-p \S+/g)].flatMap(([parameter]) => parameter.split(' '))
  return {
    name: 'varnish',
    binary: VARNISHD,
    check: () => [],
    run: (file, folder) => [
      '-F',
      ...['-j', 'none', '-a', `127.0.0.1:${port}`, '-f', file, '-n', join(folder, 'varnish')],
      ...['-s', 'malloc,16m', ...parameters],
    ],
    env: () => ({}),
  }
}

export const varnishSite: RoutingServer = {
  name: 'varnish',
  toServer: varnishd,
  toFiles: (text) => () => ({ 'server.conf': text }),
}
