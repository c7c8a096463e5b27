import { ROUTE_REMOVED } from '../fields.ts'
import type { FrontEnd } from '../front-end.ts'
import { block, separate } from '../indent.ts'
import { groupByHost, type SiteHost, withoutBrackets } from '../origins.ts'
import { wholeFile } from '../part.ts'
import { quoteDecodedText, quoteRegex } from '../quote.ts'
import type { Site } from '../site.ts'

export const lighttpd: FrontEnd = {
  name: 'lighttpd',
  title: 'lighttpd',
  output: 'A file that lighttpd.conf includes, for lighttpd 1.4.69 or later.',
  without: {
    forward: 'lighttpd does not speak TLS to a back end: use --mode route, and serve verifies the service',
  },
  gaps: [
    'url.redirect and url.rewrite of the site see the path as received, not normalised, in the whole server.',
    'While serve is down, the error log has the path and query of each request to a point.',
  ],
  parts: (site) => wholeFile('continuation-point.conf', render(site)),
}

function render(site: Site): readonly string[] {
  const preface = [
    '# lighttpd in front of `continuation-point serve`: routes the continuation points to it.',
    '#',
    '# Include it at the end of lighttpd.conf:   include "continuation-point.conf"',
    '# Check it with: lighttpd -tt -f /etc/lighttpd/lighttpd.conf',
  ]
  // Of the whole server, since lighttpd reads a head before it knows the host.
  const serverOptions = [
    'server.modules += ( "mod_proxy", "mod_setenv" )',
    '# Every request carries cookies, so a request head may be large.',
    `server.max-request-field-size = ${site.headerBytes}`,
    '# Paths are forwarded as received. Conditions on $HTTP["url"] still compare the decoded path, but url.rewrite and',
    '# url.redirect see the received one. If lighttpd.conf has such a list already, add this entry there instead.',
    'server.http-parseopts = ( "url-normalize" => "disable" )',
  ]
  return separate([preface, serverOptions, ...groupByHost(site.origins).map((host) => hostBlock(site, host))])
}

/** `serve` tells the origins of a host apart by itself. */
function hostBlock({ target, clientAddress }: Site, { host, authorities, paths }: SiteHost): string[] {
  const cleared = ROUTE_REMOVED.concat(clientAddress === 'omit' ? [] : ['X-Forwarded-For'])
  return [
    `# ${host}`,
    ...block(
      `$HTTP["host"] =~ "^(?i:${authorities.map(quoteRegex).join('|')})$"`,
      block(
        `$HTTP["url"] =~ "^(?:${paths.map((path) => quoteDecodedText(path.slice(0, -1))).join('|')})(?:/|$)"`,
        [
          `proxy.server = ( "" => (( "host" => "${withoutBrackets(target.host)}", "port" => ${target.port} )) )`,
          '# serve trusts lighttpd, which sets X-Forwarded-* itself: a client’s own must not get through.',
          `setenv.set-request-header = ( ${cleared.map((name) => `"${name}" => ""`).join(', ')} )`,
          '# Bodies of any size are passed unbuffered and unchanged.',
          'server.stream-request-body = 2',
          'server.stream-response-body = 2',
          'server.max-request-size = 0',
        ],
      ),
    ),
  ]
}
