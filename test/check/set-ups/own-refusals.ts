import type { Place } from './front-end-text.ts'
import type { RemedyName } from './remedies.ts'
import type { Change, SetUp } from './set-up.ts'

/** Mistakes in front of `serve`, and `serve` or the service down. */
export const ownRefusals: readonly SetUp[] = [
  refused('nginx without the Host of the visitor', 'nginx', 'sends a different Host', {
    remedy: 'keepHost',
    broken: () => ({ parts: { host: '' } }),
    fixed: () => ({ parts: { host: 'proxy_set_header Host $http_host;' } }),
  }),
  refused('nginx with $host, which drops the port', 'nginx', 'drops the port of the Host', {
    remedy: 'keepHost',
    broken: () => ({ parts: { host: 'proxy_set_header Host $host;' } }),
    fixed: () => ({ parts: { host: 'proxy_set_header Host $http_host;' } }),
  }),
  refused('Apache without ProxyPreserveHost and its own fields', 'apache', 'sends a different Host', {
    remedy: 'keepHost',
    broken: () => ({ parts: { host: '', added: 'ProxyAddHeaders Off' } }),
    fixed: () => ({ parts: { host: 'ProxyPreserveHost On' } }),
  }),
  refused('HAProxy with a Host of its own', 'haproxy', 'sends a different Host', {
    remedy: 'keepHost',
    broken: () => ({ parts: { host: 'http-request set-header Host site.internal' } }),
    fixed: () => ({ parts: { host: '' } }),
    says: 'HAProxy: no http-request set-header Host',
  }),
  refused('nginx without X-Forwarded-Proto', 'nginx', "can't tell whether the visitor uses http or https", {
    remedy: 'tellScheme',
    broken: ({ point }) => ({ parts: { scheme: '' }, served: [point.replace('http:', 'https:')] }),
    fixed: () => ({ parts: { scheme: 'proxy_set_header X-Forwarded-Proto $scheme;' } }),
  }),
  refused('nginx with the wrong X-Forwarded-Proto', 'nginx', 'sees https as the scheme of the request', {
    remedy: 'sendScheme',
    broken: () => ({ parts: { scheme: 'proxy_set_header X-Forwarded-Proto https;' } }),
    fixed: () => ({ parts: { scheme: 'proxy_set_header X-Forwarded-Proto http;' } }),
  }),
  refused('nginx that cuts the path', 'nginx', 'no point on the path that arrives', {
    remedy: 'keepPath',
    broken: ({ next }) => ({ parts: { pass: `proxy_pass http://${next}/;` } }),
    fixed: ({ next }) => ({ parts: { pass: `proxy_pass http://${next};` } }),
    says: 'proxy_pass with no path behind host and port',
  }),
  refused('Caddy that strips the path', 'caddy', 'no point on the path that arrives', {
    remedy: 'keepPath',
    broken: () => ({ parts: { block: 'handle_path' } }),
    fixed: () => ({ parts: { block: 'handle' } }),
    says: 'handle in place of handle_path',
  }),
  refused('nginx, and the service down', 'nginx', 'the service refuses its connections', {
    broken: () => ({ service: 'down' }),
    fixed: () => ({}),
    says: 'Start the service',
  }),
  ...(
    [
      ['nginx', 'nginx answers 502 itself'],
      ['apache', 'Apache answers 503 itself'],
      ['caddy', 'Caddy answers 502 itself'],
      ['haproxy', 'HAProxy answers 503 itself'],
    ] as const
  ).map(([server, cause]) =>
    refused(`${server}, and serve down`, server, cause, {
      broken: () => ({ serve: 'down' }),
      fixed: () => ({}),
      remedy: 'findNextHop',
      says: 'Start what it forwards to (continuation-point serve',
    }),
  ),
]

interface Changes {
  readonly broken: (place: Place) => Change
  readonly fixed: (place: Place) => Change
  readonly says?: string
  readonly remedy?: RemedyName
}

function refused(
  name: string,
  server: SetUp['server'],
  cause: string,
  { says = '', ...changes }: Changes,
): SetUp {
  return { name, server, cause, says, rule: 'live/forwarded', through: 'serve', scheme: 'http', ...changes }
}
