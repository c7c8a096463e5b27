import { ROUTE_REMOVED } from './fields.ts'
import type { FrontEnd } from './front-end.ts'
import { block, separate } from './indent.ts'
import { type SiteHost, toHosts } from './origins.ts'
import { quoteDecodedText, quoteRegex } from './quote.ts'
import type { Site } from './site.ts'

export const lighttpd: FrontEnd = {
  name: 'lighttpd',
  title: 'lighttpd',
  output: 'A file that lighttpd.conf includes, for lighttpd 1.4.69 or later.',
  file: 'continuation-point.conf',
  without: {
    forward: 'lighttpd does not speak TLS to a back end: use --mode route, and serve verifies the service',
  },
  gaps: [
    'What a site does with url.redirect and url.rewrite sees the path as it came: it is no longer normalised for the whole server.',
  ],
  render,
}

function render(site: Site): string {
  const blocks = toHosts(site.origins).map((host) => hostBlock(site, host))
  const lines = separate([preface, serverOptions(site), ...blocks])
  return `${lines.join('\n')}\n`
}

const preface = [
  '# lighttpd in front of `continuation-point serve`: routes the continuation points to it.',
  '#',
  '# Include it at the end of lighttpd.conf:   include "continuation-point.conf"',
  '# Check it with: lighttpd -tt -f /etc/lighttpd/lighttpd.conf',
]

/** Of the whole server, since lighttpd reads a head before it knows the host. */
function serverOptions({ headerBytes }: Site): string[] {
  return [
    'server.modules += ( "mod_proxy", "mod_setenv" )',
    '# Cookies travel with every call: a head may be large.',
    `server.max-request-field-size = ${headerBytes}`,
    '# Paths go on as they came. Conditions on $HTTP["url"] compare the decoded path all the same; url.rewrite and',
    '# url.redirect see what came. Where lighttpd.conf has such a list already, put this entry in there instead.',
    'server.http-parseopts = ( "url-normalize" => "disable" )',
  ]
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
          `proxy.server = ( "" => (( "host" => "${target.host.replace(/^\[(.*)\]$/, '$1')}", "port" => ${target.port} )) )`,
          '# serve believes lighttpd, which sets X-Forwarded-* itself: a client may not say these through it.',
          `setenv.set-request-header = ( ${cleared.map((name) => `"${name}" => ""`).join(', ')} )`,
          '# Bodies pass at once and whole, whatever their size, and stay as they are.',
          'server.stream-request-body = 2',
          'server.stream-response-body = 2',
          'server.max-request-size = 0',
        ],
      ),
    ),
  ]
}
