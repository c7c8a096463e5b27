import { BUFFERS, type Place } from './front-end-text.ts'
import { type Change, type SetUp, setUp } from './set-up.ts'

/** Front ends whose answers differ from request to request. */
export const varying: readonly SetUp[] = [
  setUp('nginx, of whose two servers one is down', 'nginx', {
    remedy: 'findNextHop',
    cause: 'answers came from nginx itself: 502',
    broken: ({ next }) => ({
      parts: {
        http: `upstream two { server ${next} max_fails=0; server 127.0.0.1:9 max_fails=0; }`,
        pass: 'proxy_pass http://two; proxy_next_upstream off;',
      },
    }),
    says: 'which of the servers it forwards to does not answer',
    shows: ['502 Bad Gateway'],
  }),
  setUp('nginx, of whose two servers one does not know the point', 'nginx', {
    remedy: 'route',
    cause: 'answers came from nginx itself: 404',
    broken: ({ next, folder }) => ({
      parts: {
        http: `upstream two { server ${next} max_fails=0; server unix:${folder}/old max_fails=0; }
          server { listen unix:${folder}/old; location / { return 404; } }`,
        pass: 'proxy_pass http://two;',
      },
    }),
    says: 'Have every server behind the load balancer forward /service_cookie_transfer/',
  }),
  setUp('nginx, of whose two servers one changes the path', 'nginx', {
    remedy: 'keepRawPath',
    cause: 'requests arrive changed at the service, but unchanged when sent again',
    broken: (place) => toTwo(place, `proxy_pass http://${place.next}${PREFIX};`),
    says: 'One of several servers behind the load balancer changes requests',
    shows: ['200'],
  }),
  setUp('nginx, of whose two servers one drops cookies', 'nginx', {
    remedy: 'keepCookie',
    cause: 'requests arrive changed at the service, but unchanged when sent again',
    broken: (place) => toTwo(place, `proxy_pass http://${place.next}; proxy_set_header Cookie "";`),
    says: 'One of several servers behind the load balancer changes requests',
  }),
  setUp('nginx with a limit on the rate that says no more than 503', 'nginx', {
    remedy: 'liftLimits',
    cause: 'answers came from nginx itself: 503',
    broken: {
      http: 'limit_req_zone $binary_remote_addr zone=one:1m rate=30r/m;',
      limit: 'limit_req zone=one burst=8 nodelay;',
    },
    says: 'no limit_req',
  }),
  setUp('nginx with a limit on the rate that says no more than 429', 'nginx', {
    remedy: 'liftLimits',
    cause: 'answers came from nginx itself: 429',
    broken: {
      http: 'limit_req_zone $binary_remote_addr zone=one:1m rate=6r/m; limit_req_status 429;',
      limit: 'limit_req zone=one burst=12 nodelay;',
    },
    says: 'Exempt /service_cookie_transfer/ from the limit',
  }),
  setUp('HAProxy, of whose two servers one is down', 'haproxy', {
    remedy: 'findNextHop',
    cause: 'answers came from HAProxy itself: 503',
    broken: { two: 'balance roundrobin\n  server gone 127.0.0.1:9' },
    says: 'which of the servers it forwards to does not answer',
  }),
  setUp('an old server on one of two addresses, which does not know the point', 'nginx', {
    remedy: 'route',
    cause: 'At 127.0.0.2, not at 127.0.0.1: The point does not reach the service: the answer was 404',
    broken: (place) => toSecond(place, 'return 404;'),
    fixed: (place) => toSecond(place, `proxy_pass http://${place.next}; ${VISITORS}`),
    says: 'or take 127.0.0.2 out of DNS if it is retired',
  }),
  setUp('an old server on one of two addresses, which sends to https', 'nginx', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'At 127.0.0.2, not at 127.0.0.1: Your web server or proxy answers with a redirect of its own',
    broken: (place) => toSecond(place, 'return 301 https://$http_host$request_uri;'),
    fixed: (place) => toSecond(place, `proxy_pass http://${place.next}; ${VISITORS}`),
    says: 'take 127.0.0.2 out of DNS',
  }),
  setUp('an old server on one of two addresses, which has an old widget key', 'nginx', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/widget-key',
    cause: 'At 127.0.0.2, not at 127.0.0.1: The service does not know the widget key that arrives',
    broken: (place) => toSecond(place, toService(place, 'old-key')),
    fixed: (place) => toSecond(place, toService(place, 'demo-widget-key')),
    says: 'take 127.0.0.2 out of DNS',
  }),
]

/** Two servers behind nginx that both reach the next one; the second one does so by these lines. */
function toTwo({ next, folder }: Place, lines: string): Change {
  return {
    parts: {
      http: `upstream two { server ${next}; server unix:${folder}/other; }
        server { listen unix:${folder}/other; ${BUFFERS} location ${PREFIX} { ${lines} proxy_redirect off;
        proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto http; } }`,
      pass: 'proxy_pass http://two;',
    },
  }
}

const PREFIX = '/service_cookie_transfer/'

/** Two addresses of the host, and what the second one does with the point. */
function toSecond({ host, port }: Place, lines: string): Change {
  const flags = ['1', '2'].flatMap((last) => ['--resolve', `${host}:${port}:127.0.0.${last}`])
  const server = `server { listen 127.0.0.2:${port}; ${BUFFERS} location / { ${lines} } }`
  return { flags, parts: { http: server } }
}

function toService({ service, origin }: Place, key: string): string {
  return `proxy_pass http://${service}; proxy_redirect off; proxy_set_header Host ${service};
    proxy_set_header X-Widget-Key ${key}; proxy_set_header X-Continuation-Origin ${origin};`
}

const VISITORS = 'proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme;'
