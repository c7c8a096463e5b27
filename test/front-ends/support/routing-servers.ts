import { join } from 'node:path'
import { type RealServer, skips } from './real-server.ts'
import type { RoutingServer } from './routed-front-end.ts'
import { certificateFile } from './typical-site.ts'

export const h2o: RealServer = {
  name: 'h2o',
  binary: '/usr/bin/h2o',
  check: (file) => ['-t', '-c', file],
  run: (file) => ['-m', 'worker', '-c', file],
  env: () => ({}),
}

/** The rendered hosts in a config with a listener. */
export const h2oSite: RoutingServer = toH2oSite('')

/** With TLS it speaks HTTP/2 too. */
export const h2oTlsSite: RoutingServer = toH2oSite(`  ssl:
    certificate-file: ${certificateFile('service', 'cert')}
    key-file: ${certificateFile('service', 'key')}
`)

function toH2oSite(tls: string): RoutingServer {
  return {
    name: 'h2o',
    isMissing: skips(h2o),
    // As its recipe asks.
    trustedProxies: [],
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

export const lighttpd: RealServer = {
  name: 'lighttpd',
  binary: '/usr/sbin/lighttpd',
  check: (file) => ['-tt', '-f', file],
  run: (file) => ['-D', '-f', file],
  env: () => ({}),
}

/** A site with a denied path, a field and a redirect of its own, which includes the file. */
export const lighttpdSite: RoutingServer = toLighttpdSite('')

/** With TLS it speaks HTTP/2 too. Debian packs it apart. */
export const lighttpdTlsSite: RoutingServer = {
  ...toLighttpdSite(`server.modules += ( "mod_openssl" )
ssl.engine = "enable"
ssl.pemfile = "${certificateFile('service', 'cert')}"
ssl.privkey = "${certificateFile('service', 'key')}"
`),
  isMissing: skips(lighttpd) || skips({ binary: '/usr/lib/lighttpd/mod_openssl.so' }),
}

function toLighttpdSite(tls: string): RoutingServer {
  return {
    name: 'lighttpd',
    isMissing: skips(lighttpd),
    toServer: () => lighttpd,
    toFiles: (text, port) => (folder) => ({
      'server.conf': `server.document-root = "${folder}"
server.bind = "127.0.0.1"
server.port = ${port}
server.modules = ( "mod_access", "mod_setenv", "mod_redirect" )
${tls}$HTTP["url"] =~ "^/admin" { url.access-deny = ( "" ) }
setenv.set-response-header = ( "X-Frame-Options" => "DENY" )
url.redirect = ( "^/old$" => "/new" )
include "continuation-point.conf"
`,
      'continuation-point.conf': text,
    }),
  }
}

/** Varnish, started as the comment in the text says. */
export function varnishd(text: string, port: number): RealServer {
  const parameters = [...text.matchAll(/-p \S+/g)].flatMap(([parameter]) => parameter.split(' '))
  return {
    name: 'varnish',
    binary: '/usr/sbin/varnishd',
    check: (file, folder) => ['-j', 'none', '-C', '-f', file, '-n', folder],
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
  isMissing: skips(varnishd('', 0)),
  toServer: varnishd,
  toFiles: (text) => () => ({ 'server.conf': text }),
}
