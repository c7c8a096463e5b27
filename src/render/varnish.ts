import { ROUTE_REMOVED } from './fields.ts'
import type { FrontEnd } from './front-end.ts'
import { indent, separate } from './indent.ts'
import type { SiteOrigin } from './origins.ts'
import { quoteRegex } from './regex-quote.ts'
import type { Site } from './site.ts'

export const varnish: FrontEnd = {
  name: 'varnish',
  title: 'Varnish Cache',
  output: 'A whole VCL 4.1 file, for Varnish 6 or later.',
  file: 'continuation-point.vcl',
  without: {
    forward: 'Varnish does not speak TLS to a back end: use --mode route, and serve verifies the service',
  },
  gaps: [
    'Age, Via and X-Varnish of Varnish’s own are taken off the answer, also when the service sent them.',
    'Sizes of heads and workspaces are parameters of varnishd, not of the VCL.',
  ],
  render,
}

function render(site: Site): string {
  const lines = separate([preface(site), backend(site), receive(site), respond, deliver])
  return `${lines.join('\n')}\n`
}

function preface({ headerBytes }: Site): string[] {
  const kilobytes = Math.ceil(headerBytes / 1024)
  return [
    'vcl 4.1;',
    '',
    '# Varnish in front of `continuation-point serve`: routes the continuation points to it, past the cache.',
    '#',
    '# Check it with: varnishd -C -f FILE. Where Varnish serves the site already, put this file in front of its own',
    '# vcl_recv with an include. Cookies travel with every call; varnishd needs room for them:',
    `#   -p http_req_hdr_len=${kilobytes}k -p http_req_size=${kilobytes}k -p workspace_client=${kilobytes * 4}k -p workspace_backend=${kilobytes * 4}k`,
  ]
}

function backend({ target, connectMs, headersMs, idleMs }: Site): string[] {
  return [
    'backend continuation_point {',
    ...indent([
      `.host = "${target.host.replace(/^\[(.*)\]$/, '$1')}";`,
      `.port = "${target.port}";`,
      `.connect_timeout = ${connectMs}ms;`,
      `.first_byte_timeout = ${headersMs}ms;`,
      `.between_bytes_timeout = ${idleMs}ms;`,
    ]),
    '}',
  ]
}

function receive({ origins }: Site): string[] {
  return ['sub vcl_recv {', ...indent(origins.flatMap(originRules)), '}']
}

function originRules({ url, scheme, authorities, points }: SiteOrigin): string[] {
  const names = authorities.map(quoteRegex).join('|')
  const paths = points.map(({ path }) => `${quoteRegex(path.slice(0, -1))}(?:/|\\?|$)`).join('|')
  const isForwarded =
    scheme === 'https' ? ['if (req.http.X-Forwarded-Proto == "http") {', '  return (synth(421));', '}'] : []
  return [
    `# ${url}`,
    `if (req.http.host ~ "(?i)^(?:${names})$" && req.url ~ "^(?:${paths})") {`,
    ...indent([
      '# TRACE would echo httpOnly cookies.',
      'if (req.method == "TRACE" || req.method == "CONNECT") {',
      '  return (synth(405));',
      '}',
      ...isForwarded,
      '# serve decides by these, and believes them from its trusted proxies only.',
      ...[...ROUTE_REMOVED, 'X-Forwarded-Host', 'Upgrade'].map((name) => `unset req.http.${name};`),
      `set req.http.X-Forwarded-Proto = "${scheme}";`,
      'set req.backend_hint = continuation_point;',
      '# Never from the cache, whatever the answer says.',
      'return (pass);',
    ]),
    '}',
  ]
}

const respond = [
  'sub vcl_backend_response {',
  '  if (bereq.backend == continuation_point) {',
  '    set beresp.uncacheable = true;',
  '    set beresp.do_gunzip = false;',
  '    set beresp.do_gzip = false;',
  '    return (deliver);',
  '  }',
  '}',
]

const deliver = [
  'sub vcl_deliver {',
  '  if (req.backend_hint == continuation_point) {',
  '    unset resp.http.Age;',
  '    unset resp.http.Via;',
  '    unset resp.http.X-Varnish;',
  '  }',
  '}',
]
