import { ROUTE_REMOVED } from '../fields.ts'
import type { FrontEnd } from '../front-end.ts'
import { block, separate } from '../indent.ts'
import { type SiteOrigin, withoutBrackets } from '../origins.ts'
import { wholeFile } from '../part.ts'
import { quoteRegex } from '../quote.ts'
import { type Site, toWaitMs } from '../site.ts'

export const varnish: FrontEnd = {
  name: 'varnish',
  title: 'Varnish Cache',
  output: 'A complete VCL 4.1 file, for Varnish 6 or later; tested with 7.1.',
  without: {
    forward: 'Varnish does not speak TLS to a back end: use --mode route, and serve verifies the service',
  },
  gaps: [
    'Sizes of heads and workspaces, and the number of field lines, are parameters of varnishd, not of the VCL.',
  ],
  parts: (site) => wholeFile('continuation-point.vcl', render(site)),
}

function render(site: Site): readonly string[] {
  const { target, origins, headerBytes, connectMs } = site
  const kilobytes = Math.ceil(headerBytes / 1024)
  return separate([
    [
      'vcl 4.1;',
      '',
      '# Varnish in front of `continuation-point serve`: routes the continuation points to it, bypassing the cache.',
      '#',
      '# Check it with: varnishd -C -f FILE. If Varnish already serves the site, include this file before its own',
      '# vcl_recv. Every request carries cookies; varnishd needs room for them, and for a response head of the same size:',
      `#   -p http_max_hdr=512 -p http_req_hdr_len=${kilobytes}k -p http_req_size=${kilobytes}k -p workspace_client=${kilobytes * 4}k`,
      `#   -p http_resp_hdr_len=${ANSWER_KILOBYTES}k -p http_resp_size=${ANSWER_KILOBYTES}k -p workspace_backend=${Math.max(kilobytes, ANSWER_KILOBYTES) * 4}k`,
    ],
    block('backend continuation_point', [
      `.host = "${withoutBrackets(target.host)}";`,
      `.port = "${target.port}";`,
      `.connect_timeout = ${connectMs}ms;`,
      '# serve times out first, and its answer says why.',
      `.first_byte_timeout = ${toWaitMs(site)}ms;`,
      `.between_bytes_timeout = ${toWaitMs(site)}ms;`,
    ]),
    trusted(site),
    block(
      'sub vcl_recv',
      origins.flatMap((origin) => originRules(site, origin)),
    ),
    respond,
    deliver,
  ])
}

/** VCL has no empty list. */
function trusted({ trustedBlocks }: Site): string[] {
  if (trustedBlocks.length === 0) return []
  const entries = trustedBlocks.map((block) => {
    const [address, bits] = block.split('/')
    return bits === undefined ? `"${address}";` : `"${address}"/${bits};`
  })
  return block('acl continuation_trusted', entries)
}

/** Varnish has already appended the client's address. */
function forwardedFor({ trustedBlocks }: Site): string[] {
  const replace = 'set req.http.X-Forwarded-For = client.ip;'
  if (trustedBlocks.length === 0) return [replace]
  return block('if (client.ip !~ continuation_trusted)', [replace])
}

function originRules(site: Site, { url, scheme, authorities, points }: SiteOrigin): string[] {
  const names = authorities.map(quoteRegex).join('|')
  const paths = points.map(({ path }) => `${quoteRegex(path.slice(0, -1))}(?:/|\\?|$)`).join('|')
  const otherScheme =
    scheme === 'https' ? block('if (req.http.X-Forwarded-Proto == "http")', ['return (synth(421));']) : []
  return [
    `# ${url}`,
    ...block(`if (req.http.host ~ "(?i)^(?:${names})$" && req.url ~ "^(?:${paths})")`, [
      '# TRACE would echo httpOnly cookies.',
      ...block('if (req.method == "TRACE" || req.method == "CONNECT")', ['return (synth(405));']),
      ...otherScheme,
      '# serve uses these, and trusts them only from its trusted proxies.',
      ...[...ROUTE_REMOVED, 'Upgrade'].map((name) => `unset req.http.${name};`),
      `set req.http.X-Forwarded-Proto = "${scheme}";`,
      ...forwardedFor(site),
      'set req.backend_hint = continuation_point;',
      '# Never from the cache, whatever the response says.',
      'return (pass);',
    ]),
  ]
}

const respond = block(
  'sub vcl_backend_response',
  block('if (bereq.backend == continuation_point)', [
    'set beresp.uncacheable = true;',
    '# Bodies are not decompressed, compressed or parsed.',
    'set beresp.filters = "";',
    'return (deliver);',
  ]),
)

const deliver = block(
  'sub vcl_deliver',
  block(
    'if (req.backend_hint == continuation_point)',
    ['Age', 'Via', 'X-Varnish'].map((name) => `unset resp.http.${name};`),
  ),
)

/** The largest response head that serve forwards, plus room for the fields it adds. */
const ANSWER_KILOBYTES = 72
