import { writeFileSync } from 'node:fs'
import { certificate, pemOf } from '../../support/certificates/certificate.ts'

/** Where everything of one set-up is. */
export interface Place {
  readonly port: number
  readonly scheme: 'http' | 'https'
  /** Of the point and its page, without port. */
  readonly host: string
  readonly origin: string
  readonly point: string
  /** `127.0.0.1:port`, of what the front end forwards to: `serve`, or the service itself. */
  readonly next: string
  /** `127.0.0.1:port`. */
  readonly service: string
  /** Where workers may write. */
  readonly folder: string
}

/** The parts of a front end's config by topic; a set-up replaces one of them. */
export type Parts = Readonly<Record<string, string>>

export type Through = 'serve' | 'service'

export interface FrontEndText {
  /** What is right. */
  readonly parts: (place: Place, through: Through) => Parts
  /** The whole config. */
  readonly text: (place: Place, parts: Parts) => string
}

const PREFIX = '/service_cookie_transfer/'

export const nginx: FrontEndText = {
  parts: ({ next, service, origin }, through) => ({
    pass: `proxy_pass http://${next};`,
    redirect: 'proxy_redirect off;',
    buffers: 'large_client_header_buffers 4 64k;',
    answers: 'proxy_buffer_size 64k; proxy_buffers 4 64k;',
    ...(through === 'serve'
      ? { host: 'proxy_set_header Host $http_host;', scheme: 'proxy_set_header X-Forwarded-Proto $scheme;' }
      : {
          host: `proxy_set_header Host ${service};`,
          key: 'proxy_set_header X-Widget-Key demo-widget-key;',
          origin: `proxy_set_header X-Continuation-Origin ${origin};`,
        }),
  }),
  text: (
    { port, scheme, folder },
    {
      http = '',
      http2 = '',
      buffers = '',
      listen = '',
      site = '',
      page = '',
      html = PAGE,
      around,
      ...inside
    },
  ) => `worker_processes 1;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache keys_zone=all:1m;
  ${http}
  server {
    listen 127.0.0.1:${port}${scheme === 'https' ? ' ssl' : ''}${http2};
    ${listen}
    ${buffers}
    ${site}
    location = / { default_type text/html; ${page} return 200 '${html}'; }
    ${around ?? toLocation(PREFIX, inside)}
    ${toLocation(`/shop${PREFIX}`, inside)}
  }
}
`,
}

function toLocation(path: string, parts: Parts): string {
  return `location ^~ ${path} { ${Object.values(parts).join('\n      ')} }`
}

export const apache: FrontEndText = {
  parts: ({ next, service, origin }, through) => ({
    pass: `ProxyPass ${PREFIX} http://${next}${PREFIX} nocanon`,
    slashes: 'AllowEncodedSlashes NoDecode',
    limits: 'LimitRequestLine 65536\nLimitRequestFieldSize 65536',
    lateLimits: '',
    ...(through === 'serve'
      ? { host: 'ProxyPreserveHost On', scheme: 'RequestHeader set X-Forwarded-Proto http' }
      : {
          host: `ProxyPreserveHost Off`,
          key: 'RequestHeader set X-Widget-Key demo-widget-key',
          origin: `RequestHeader set X-Continuation-Origin ${origin}`,
        }),
    service: `# ${service}`,
  }),
  text: ({ port, host, folder }, { limits, lateLimits, ...parts }) => `${[
    'mpm_event',
    'authz_core',
    'headers',
    'proxy',
    'proxy_http',
    'rewrite',
    'alias',
  ]
    .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
    .join('\n')}
ServerName ${host}
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
${limits}
Listen 127.0.0.1:${port}
<VirtualHost 127.0.0.1:${port}>
  RewriteEngine On
  RewriteRule "^/$" "${folder}/index.html" [L]
  <Directory "${folder}">
    Require all granted
  </Directory>
  ${Object.values(parts).join('\n  ')}
</VirtualHost>
${lateLimits}
`,
}

export const caddy: FrontEndText = {
  parts: ({ service, origin }, through) => ({
    block: 'handle',
    ...(through === 'serve'
      ? {}
      : {
          host: `header_up Host ${service}`,
          key: 'header_up X-Widget-Key demo-widget-key',
          origin: `header_up X-Continuation-Origin ${origin}`,
        }),
  }),
  text: ({ port, host, next }, { block = '', before = '', global = '', path = `${PREFIX}*`, ...inside }) => `{
  auto_https off
  ${global}
}
http://${host}:${port} {
  bind 127.0.0.1
  ${before}
  respond / ${JSON.stringify(PAGE)}
  ${block} ${path} {
    reverse_proxy http://${next} {
      ${Object.values(inside).join('\n      ')}
    }
  }
}
`,
}

const TO_POINTS = `use_backend points if { path_beg ${PREFIX} }`

export const haproxy: FrontEndText = {
  parts: ({ service, origin }, through) =>
    through === 'serve'
      ? { scheme: 'http-request set-header X-Forwarded-Proto http' }
      : {
          host: `http-request set-header Host ${service}`,
          key: 'http-request set-header X-Widget-Key demo-widget-key',
          origin: `http-request set-header X-Continuation-Origin ${origin}`,
        },
  text: (
    { port, next, folder },
    { tls, buffers = 'tune.bufsize 65536', route = TO_POINTS, sections = '', ...parts },
  ) => `global
  ${buffers}
defaults
  mode http
  retries 0
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend site
  bind 127.0.0.1:${port}${tls === undefined ? '' : ` ssl crt ${toPem(folder, tls)} alpn h2 proto h2`}
  http-request return status 200 content-type text/html string '${PAGE}' if { path / }
  ${route}
backend points
  ${Object.values(parts).join('\n  ')}
  server next ${next}
${sections}
`,
}

/** The content of every page of a correct set-up. */
export const PAGE = '<!doctype html><title>Shop</title><script>widget("demo-widget-key")</script>'

/** The certificates are for localhost, which has no registrable domain. */
export const SKIPPED = ['--skip', 'url/ip-host']
export const TLS_FLAGS = [...SKIPPED, '--ca-file', 'ca.pem']
/** What a server of nginx needs for long lines in both directions. */
export const BUFFERS = 'large_client_header_buffers 4 64k; proxy_buffer_size 64k; proxy_buffers 4 64k;'

/** A certificate with its key in one file, as HAProxy wants it. */
export function toPem(folder: string, name: string): string {
  const path = `${folder}/${name}.pem`
  writeFileSync(path, ['cert', 'key'].map((part) => pemOf(`${name}.${part}`)).join(''))
  return path
}

/** TLS with a certificate of the tests. */
export function toListen(name: string): Parts {
  const [cert, key] = [certificate(`${name}.cert`), certificate(`${name}.key`)]
  return { listen: `ssl_certificate ${cert}; ssl_certificate_key ${key};` }
}
