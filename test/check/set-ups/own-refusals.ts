import { type SetUp, setUp } from './set-up.ts'

/** Mistakes in front of `serve`, and `serve` or the service down. */
export const ownRefusals: readonly SetUp[] = [
  setUp('nginx without the Host of the visitor', 'nginx', {
    cause: 'sends a different Host',
    remedy: 'keepHost',
    broken: { host: '' },
  }),
  setUp('nginx with $host, which drops the port', 'nginx', {
    cause: 'drops the port of the Host',
    remedy: 'keepHost',
    broken: { host: 'proxy_set_header Host $host;' },
  }),
  setUp('Apache without ProxyPreserveHost and its own fields', 'apache', {
    cause: 'sends a different Host',
    remedy: 'keepHost',
    broken: { host: '', added: 'ProxyAddHeaders Off' },
    fixed: { host: 'ProxyPreserveHost On' },
  }),
  setUp('HAProxy with a Host of its own', 'haproxy', {
    cause: 'sends a different Host',
    remedy: 'keepHost',
    broken: { host: 'http-request set-header Host site.internal' },
    says: 'HAProxy: no http-request set-header Host',
  }),
  setUp('nginx without X-Forwarded-Proto', 'nginx', {
    cause: 'nothing says which one is meant',
    remedy: 'tellScheme',
    broken: ({ point }) => ({ parts: { scheme: '' }, served: [point.replace('http:', 'https:')] }),
  }),
  setUp('nginx with the wrong X-Forwarded-Proto', 'nginx', {
    cause: 'are for the other scheme',
    remedy: 'sendScheme',
    broken: { scheme: 'proxy_set_header X-Forwarded-Proto https;' },
    fixed: { scheme: 'proxy_set_header X-Forwarded-Proto http;' },
  }),
  setUp('nginx that cuts the path', 'nginx', {
    cause: 'no continuation point in the config has this path',
    remedy: 'keepPath',
    broken: ({ next }) => ({ parts: { pass: `proxy_pass http://${next}/;` } }),
    says: 'proxy_pass with no path behind host and port',
  }),
  setUp('Caddy that strips the path', 'caddy', {
    cause: 'no continuation point in the config has this path',
    remedy: 'keepPath',
    broken: { block: 'handle_path' },
    says: 'handle in place of handle_path',
  }),
  setUp('nginx, and the service down', 'nginx', {
    cause: "serve can't reach the service: connection refused",
    broken: () => ({ service: 'down' }),
    says: 'start the service',
  }),
  ...(
    [
      ['nginx', 'nginx answers 502 itself'],
      ['apache', 'Apache answers 503 itself'],
      ['caddy', 'Caddy answers 502 itself'],
      ['haproxy', 'HAProxy answers 503 itself'],
    ] as const
  ).map(([server, cause]) =>
    setUp(`${server}, and serve down`, server, {
      cause,
      broken: () => ({ serve: 'down' }),
      remedy: 'findNextHop',
      says: 'Start what it forwards to (continuation-point serve',
    }),
  ),
]
