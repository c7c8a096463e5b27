import { BUFFERS, type Place, TLS_FLAGS, toListen } from './front-end-text.ts'
import type { Change, Changing, SetUp } from './set-up.ts'

/** Unusual set-ups with nothing wrong. */
export const healthy: readonly Healthy[] = [
  is(
    'nginx with HTTP/2',
    'nginx',
    () => ({
      flags: TLS_FLAGS,
      parts: { ...toListen('service'), http2: ' http2', scheme: 'proxy_set_header X-Forwarded-Proto https;' },
    }),
    { scheme: 'https' },
  ),
  is(
    'HAProxy that speaks HTTP/2 alone',
    'haproxy',
    () => ({
      flags: TLS_FLAGS,
      parts: { tls: 'service', scheme: 'http-request set-header X-Forwarded-Proto https' },
    }),
    { scheme: 'https' },
  ),
  is(
    'nginx that joins cookies of HTTP/2, before a second nginx',
    'nginx',
    ({ next, folder }) => ({
      flags: TLS_FLAGS,
      parts: {
        ...toListen('service'),
        http2: ' http2',
        scheme: 'proxy_set_header X-Forwarded-Proto https;',
        http: `server { listen unix:${folder}/inner; ${BUFFERS}
          location / { proxy_pass http://${next}; proxy_set_header Host $http_host; } }`,
        pass: `proxy_pass http://unix:${folder}/inner;`,
      },
    }),
    { scheme: 'https' },
  ),
  is('nginx on two addresses', 'nginx', ({ host, port }) => ({
    flags: ['1', '2'].flatMap((last) => ['--resolve', `${host}:${port}:127.0.0.${last}`]),
    parts: { listen: `listen 127.0.0.2:${port};` },
  })),
  is('nginx with a sticky balancer, whose cookie comes back with each answer', 'nginx', {
    sticky: 'add_header Set-Cookie "route=a; Path=/" always;',
  }),
  is('HAProxy with a sticky balancer', 'haproxy', ({ next }) => ({
    parts: { sticky: `cookie ROUTE insert indirect nocache\n  server other ${next} cookie b` },
  })),
  is('nginx whose start page sends to a language', 'nginx', ({ origin }) => ({
    parts: {
      page: `return 302 ${origin}/en/;`,
      site: `location = /en/ { default_type text/html; return 200 '<title>Shop</title><script>widget("demo-widget-key")</script>'; }`,
    },
  })),
  is('a point and a page in upper case', 'nginx', (place) => ({ config: inUpperCase(place) })),
  is('a host with letters beyond ASCII', 'nginx', (place) => onHost(place, 'www.bücher.localhost')),
  is('nginx on IPv6 alone', 'nginx', ({ host, port }) => ({
    flags: ['--resolve', `${host}:${port}:[::1]`],
    parts: { listen: `listen [::1]:${port};` },
  })),
  is('nginx that compresses what it sends', 'nginx', {
    gzip: 'gzip on; gzip_proxied any; gzip_min_length 1; gzip_types application/json;',
  }),
  is('nginx that adds fields for security and timing', 'nginx', {
    fields:
      'add_header Strict-Transport-Security max-age=1 always; add_header X-Frame-Options DENY always; add_header Server-Timing a always;',
  }),
  is('Caddy whose site has a redirect after the point', 'caddy', {
    before: 'handle /old* { \n redir https://www.example.net/ \n }',
  }),
  is('Apache with the limits of its virtual host', 'apache', {
    keep: 'KeepAlive Off\n  ServerSignature Off',
  }),
  is('Varnish that bypasses its cache', 'varnish', {}),
  is('an app of Express with the points in it', 'node', {}, { through: 'service' }),
]

/** A set-up in which `check` finds nothing. */
export type Healthy = Pick<SetUp, 'name' | 'server' | 'through' | 'scheme'> & { readonly given: Changing }

function is(name: string, server: SetUp['server'], given: Changing, more: Partial<Healthy> = {}): Healthy {
  return { name, server, through: 'serve', scheme: 'http', given, ...more }
}

function inUpperCase({ point, origin, host }: Place) {
  const loud = (url: string) => url.replace(host, host.toUpperCase()).replace('http', 'HTTP')
  return { points: [loud(point)], pages: [`${loud(origin)}/`] }
}

/** The same site under another host, of which the account has the form that browsers send. */
function onHost(place: Place, host: string): Change {
  const [point, page] = [place.point, `${place.origin}/`].map((url) => url.replace(place.host, host))
  const cookies = [{ name: 'sid', domain: new URL(page ?? '').hostname, path: '/', httponly: true }]
  return {
    served: [point ?? ''],
    account: { cookie_transfer_urls: [new URL(point ?? '').href], cookie_transfer_scopes: cookies },
    config: { points: [point], pages: [page], cookies: [{ ...cookies[0], domain: host }] },
  }
}
