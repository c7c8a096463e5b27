import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { openFolder } from '../support/folder.ts'
import type { RecordedRequest } from '../support/recording-upstream.ts'
import type { WireMessage } from '../support/wire.ts'
import { openPartsStage } from './support/front-end-stage.ts'
import { servers, skips } from './support/real-server.ts'
import { PREFIX } from './support/started-site.ts'
import { loadModules } from './support/typical-site.ts'

const PAGE = '<html><!--#echo var="REQUEST_METHOD" --><body>the shop</body></html>'
const folder = openFolder()

/** What a site may say for all its pages, and what would change the requests to the service, or its responses. */
const directives: Readonly<Record<string, readonly string[]>> = {
  nginx: [
    'add_header X-Of-Site 1 always;',
    'proxy_hide_header Set-Cookie;',
    'proxy_pass_header Strict-Transport-Security;',
    'proxy_pass_header X-Accel-Charset;',
    'proxy_ignore_headers Cache-Control Set-Cookie Vary Expires;',
    'proxy_cookie_flags ~ samesite=strict secure;',
    'proxy_cookie_path / /of-site;',
    'proxy_cookie_domain ~. of-site.example;',
    'proxy_redirect ~. https://of-site.example/;',
    'sub_filter shop site; sub_filter_once off;',
    'ssi on;',
    'charset utf-8;',
    'gzip on; gzip_min_length 1; gzip_types *; gzip_proxied any; gzip_vary on;',
    'expires 1h;',
    'etag off; if_modified_since before;',
    'userid on;',
    'proxy_force_ranges on;',
    'proxy_intercept_errors on; error_page 404 /of-site;',
    'proxy_next_upstream http_404 http_500 non_idempotent;',
    'proxy_cache_path {folder}/cache keys_zone=all:1m; proxy_cache all; proxy_cache_valid any 1h; proxy_cache_methods GET POST;',
    'proxy_store {folder}/stored; proxy_store_access all:rw;',
    'limit_rate 1;',
    'mirror /of-site;',
    'proxy_method PUT;',
    'proxy_http_version 1.0;',
    'proxy_pass_request_headers off;',
    'proxy_pass_request_body off;',
    'proxy_set_header X-Of-Site 1;',
    'proxy_ssl_name of-site.example;',
    'proxy_busy_buffers_size 16k; proxy_buffer_size 4k;',
    'proxy_temp_file_write_size 16k; proxy_max_temp_file_size 16k;',
    'add_before_body /of-site; add_after_body /of-site;',
    'client_max_body_size 1;',
    'client_body_in_file_only on; client_body_temp_path {folder}/bodies;',
    'client_body_buffer_size 1; client_body_in_single_buffer on;',
    'proxy_buffering on; proxy_request_buffering on; proxy_buffer_size 1k; proxy_buffers 4 1k;',
  ],
  apache: [
    'ProxyErrorOverride On',
    'ErrorDocument 404 "of the site"',
    'ProxyAddHeaders Off',
    'ProxyPreserveHost On',
    'ProxyPreserveHost Off',
    'ProxyTimeout 1',
    'SetEnv proxy-sendcl 1',
    'SetEnv proxy-initial-not-pooled 1',
    'ExpiresActive On\nExpiresDefault "access plus 1 day"',
    'AddOutputFilterByType DEFLATE text/html',
    '<Location />\nSetOutputFilter DEFLATE\n</Location>',
    'AddOutputFilterByType SUBSTITUTE text/html\nSubstitute "s|shop|site|"',
    'Options +Includes\nAddOutputFilter INCLUDES .shtml',
    'LimitRequestBody 1',
    'RewriteEngine On\nRewriteRule ^ /index.html [L]',
    'AddDefaultCharset utf-8',
    'CacheEnable disk /\nCacheRoot {folder}/cache\nCacheIgnoreNoLastMod On',
  ],
  caddy: [
    'root * /etc\ntry_files {path} {path}/ /hostname\nfile_server',
    'rewrite * /index.html',
    'uri strip_prefix /service_cookie_transfer',
    'encode gzip',
    'handle_errors {\nrespond "of the site"\n}',
    'handle /service* {\nrespond "of the site"\n}',
    'handle {\nrespond "of the site"\n}',
    'php_fastcgi 127.0.0.1:9',
    'root * {folder}\nfile_server',
  ],
  haproxy: [
    'option forwardfor',
    'option http-buffer-request',
    'option httpchk GET /health\ndefault-server check',
    'default-server ssl verify none',
    'default-server send-proxy',
    'retries 3\noption redispatch\nretry-on all-retryable-errors',
    'http-reuse never',
    'cookie SERVERID insert',
    'timeout server 1s',
  ],
}

/** Puts what the site says for all its pages into its config. */
const says: Readonly<Record<string, (text: string, directive: string, app: string) => string>> = {
  nginx: (text, directive, app) =>
    (directive.includes('client_body_temp_path')
      ? text.replace(/client_body_temp_path \S+\/body;/, '')
      : text
    )
      .replace('include conf.d/*.conf;', `include conf.d/*.conf;\n${directive}`)
      .replace('location / { return 404; }', `location / { proxy_pass ${app}; }`),
  apache: (text, directive) =>
    `${loadModules('cache', 'cache_disk', 'deflate', 'expires', 'filter', 'include', 'mime', 'substitute')}\nTypesConfig /dev/null\n${text.replace(/<\/VirtualHost>\n$/, `${directive}\n$&`)}`,
  caddy: (text, directive) => text.replace('respond 404\n', `${directive}\n$&`),
  haproxy: (text, directive) => text.replace('mode http\n', `$&${directive}\n`),
}

describe.each(servers.filter(({ name }) => name in directives))('$name', (server) => {
  describe.skipIf(skips(server)).each(['route', 'forward'] as const)('what a site says, %s', (mode) => {
    let plain: unknown
    beforeAll(async () => {
      plain = await exchange('')
    }, 30_000)

    it.each(directives[server.name] ?? [])('%s', async (directive) => {
      expect(await exchange(directive.replaceAll('{folder}', folder))).toEqual(plain)
      const kept = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
        each.isFile(),
      )
      expect(kept).toEqual([])
    })

    /** What the service gets and the visitor sees, without ports, dates and ids. */
    async function exchange(directive: string): Promise<unknown> {
      const edit = (text: string, app: string) => says[server.name]?.(text, directive, app) ?? text
      const stage = await openPartsStage(server, mode, { script: answer, edit })
      const responses: WireMessage[] = []
      for (const [method, path, lines, body] of exchanges)
        responses.push((await stage.ask(`${PREFIX}${path}`, { method, lines, body })).answer)
      await stage.close()
      const seen = [...stage.upstream.requests, ...responses].map(({ startLine, fields, body }) => [
        startLine,
        fields.filter(([name]) => !/^(?:date|x-request-id)$/i.test(name)),
        body,
      ])
      return JSON.parse(JSON.stringify(seen).replaceAll(/(?<=:)\d{4,5}\b/g, 'PORT'))
    }
  })
})

function answer({ startLine }: RecordedRequest, socket: { write(octets: string): unknown }): void {
  const status = startLine.includes('missing') ? '404 Not Found' : '200 OK'
  // Apache removes it from what could have includes, even where they are off.
  const tag = startLine.includes('.shtml') ? '' : 'ETag: "1"\r\n'
  socket.write(
    `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nSet-Cookie: a=1; Path=/; Domain=example.com\r\nSet-Cookie: b=2\r\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n${tag}Location: /elsewhere\r\nStrict-Transport-Security: max-age=1\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`,
  )
}

const exchanges = [
  [
    'GET',
    '',
    'If-Modified-Since: Mon, 01 Jan 2024 00:00:00 GMT\r\nAccept-Encoding: gzip\r\nRange: bytes=0-1\r\n',
    '',
  ],
  ['GET', 'missing', 'Cookie: a=1\r\nTE: trailers\r\n', ''],
  ['GET', 'page.shtml', '', ''],
  ['POST', '/a%2Fb/%7Ec%25d?q=%41%20b+c&e=', 'Content-Length: 9\r\n', 'some body'],
  ['POST', 'a', 'Transfer-Encoding: chunked\r\n', '9\r\nsome body\r\n0\r\n\r\n'],
] as const
