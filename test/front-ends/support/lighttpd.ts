import { existsSync } from 'node:fs'
import type { RealServer } from './real-server.ts'
import type { RoutingServer } from './routed-front-end.ts'
import { certificateFile } from './typical-site.ts'

export const lighttpd: RealServer = {
  name: 'lighttpd',
  binary: '/usr/sbin/lighttpd',
  check: (file) => ['-tt', '-f', file],
  run: (file) => ['-D', '-f', file],
  env: () => ({}),
}

/** Only where it is not installed, and never on CI. */
export const skipsLighttpd = !existsSync(lighttpd.binary) && process.env.CI === undefined

/** Debian packs TLS apart. */
export const skipsLighttpdTls =
  skipsLighttpd || (!existsSync('/usr/lib/lighttpd/mod_openssl.so') && process.env.CI === undefined)

/** A site with a denied path, a field and a redirect of its own, which includes the file. */
export const lighttpdSite: RoutingServer = toSite('')

/** With TLS it speaks HTTP/2 too. */
export const lighttpdTlsSite: RoutingServer = toSite(`server.modules += ( "mod_openssl" )
ssl.engine = "enable"
ssl.pemfile = "${certificateFile('service', 'cert')}"
ssl.privkey = "${certificateFile('service', 'key')}"
`)

function toSite(tls: string): RoutingServer {
  return {
    name: 'lighttpd',
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
