import { BUFFERS, type Place, TLS_FLAGS, toListen } from './front-end-text.ts'
import { type SetUp, setUp } from './set-up.ts'

/** Rules of the site that catch the point too, and paths that are forwarded nearly right. */
export const siteRules: readonly SetUp[] = [
  setUp('nginx that loses the slash at the end of the path', 'nginx', {
    remedy: 'keepLastSlash',
    rule: 'live/redirect',
    cause: 'to the same URL again',
    broken: ({ next }) => ({ parts: { pass: `proxy_pass http://${next}/service_cookie_transfer;` } }),
    says: 'nginx: no path behind host and port in proxy_pass',
  }),
  setUp('Apache that loses the slash at the end of the path', 'apache', {
    remedy: 'keepLastSlash',
    rule: 'live/redirect',
    cause: 'to the same URL again',
    broken: ({ next }) => ({
      parts: { pass: `ProxyPass /service_cookie_transfer/ http://${next}/service_cookie_transfer nocanon` },
    }),
    says: 'Apache: the slash at the end of both paths in ProxyPass',
  }),
  setUp('an inner nginx that does not learn that the visitor uses https', 'nginx', {
    remedy: 'sendScheme',
    scheme: 'https',
    rule: 'live/redirect',
    cause: 'to the same URL again',
    broken: (place) => ({ flags: TLS_FLAGS, parts: { ...toInner(place), scheme: '' } }),
    fixed: (place) => ({
      flags: TLS_FLAGS,
      parts: { ...toInner(place), page: '', scheme: 'proxy_set_header X-Forwarded-Proto https;' },
    }),
    says: 'nginx: proxy_set_header X-Forwarded-Proto https;',
  }),
  setUp("nginx with the site's page for each 404", 'nginx', {
    remedy: 'keepErrors',
    rule: 'live/errors',
    cause: "an error page in place of the service's answer: 404",
    broken: { errors: 'proxy_intercept_errors on; error_page 404 /not-found;' },
    fixed: { errors: 'proxy_intercept_errors off;' },
  }),
  setUp('Apache with error pages of its own', 'apache', {
    remedy: 'keepErrors',
    rule: 'live/errors',
    cause: "an error page in place of the service's answer: 404",
    broken: { errors: 'ProxyErrorOverride On\n  ErrorDocument 404 "Not here"' },
    fixed: { errors: 'ProxyErrorOverride Off' },
  }),
  setUp('HAProxy with error pages of its own', 'haproxy', {
    remedy: 'keepErrors',
    rule: 'live/errors',
    cause: "an error page in place of the service's answer: 500",
    broken: { errors: 'http-response return status 500 if { status 500 }' },
    says: 'HAProxy: no http-response return',
  }),
  setUp('nginx with a body limit for the forms of the site', 'nginx', {
    remedy: 'allowLargeBodies',
    rule: 'live/body-size',
    cause: 'A body of 64 KiB does not arrive: the answer was 413',
    broken: { site: 'client_max_body_size 16k;' },
    fixed: { body: 'client_max_body_size 0;' },
  }),
  setUp('HAProxy with a body limit', 'haproxy', {
    remedy: 'allowLargeBodies',
    rule: 'live/body-size',
    cause: 'A body of 1 MiB does not arrive: the answer was 413',
    broken: { body: 'http-request deny deny_status 413 if { req.hdr(Content-Length) -m int gt 65536 }' },
    says: 'HAProxy: no http-request deny on req.body_size or on Content-Length',
  }),
  setUp('Caddy with a body limit', 'caddy', {
    remedy: 'allowLargeBodies',
    rule: 'live/body-size',
    cause: 'A body of 64 KiB does not arrive',
    broken: { before: 'request_body { \n max_size 10KB \n }' },
    says: 'Caddy: no request_body with max_size',
  }),
  setUp('nginx that says gzip of what is plain', 'nginx', {
    remedy: 'keepCoding',
    cause: "The body of the answer can't be decoded",
    broken: { coding: 'add_header Content-Encoding gzip always;' },
    says: 'no add_header Content-Encoding',
    shows: ["the body can't be decoded, though Content-Encoding says gzip"],
  }),
  setUp('nginx with a challenge for bots on the whole site', 'nginx', {
    cause: 'A challenge for bots answers in place of the service',
    broken: {
      challenge: `default_type text/html; return 200 '<script>document.cookie="human=1"; location.reload()</script>';`,
    },
    says: 'Exempt everything below /service_cookie_transfer/ from the protection against bots',
    shows: ['answer  200, text/html'],
  }),
  setUp('HAProxy with a challenge for bots on the whole site', 'haproxy', {
    cause: 'A challenge for bots answers in place of the service',
    broken: {
      challenge:
        'http-request return status 200 content-type text/html string "<title>Just a moment...</title>"',
    },
    says: 'Exempt everything below /service_cookie_transfer/ from the protection against bots',
  }),
  setUp('nginx that sends to an identity provider', 'nginx', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'to a login at idp.example.net',
    broken: { login: 'return 302 https://idp.example.net/oauth2/authorize?client=1;' },
    says: 'the point must be open to visitors who are not logged in • nginx: location ^~',
  }),
  setUp('nginx that sends what is below the point to another site', 'nginx', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'to another host, www.example.net',
    broken: { moved: 'if ($uri ~ check) { return 302 https://www.example.net/; }' },
    says: 'Exclude /service_cookie_transfer/ from the rule that redirects • nginx: location ^~',
  }),
  setUp('nginx with a password on the whole site', 'nginx', {
    remedy: 'open',
    cause: 'Your web server or proxy asks for a login (401)',
    broken: ({ folder }) => ({
      parts: {
        site: `auth_basic "staging"; auth_basic_user_file ${folder}/index.html;`,
        page: 'try_files /x =401;',
      },
    }),
    fixed: { site: '', page: '', open: 'auth_basic off;' },
    says: 'nginx: location ^~ /service_cookie_transfer/ { auth_basic off; allow all; … }',
  }),
  setUp('nginx with a firewall that does not like the check', 'nginx', {
    remedy: 'open',
    cause: 'Your web server or proxy forbids the request (403)',
    broken: { site: 'if ($http_user_agent ~ continuation-point) { return 403; }' },
    says: 'User-Agent',
  }),
  setUp('nginx in maintenance', 'nginx', {
    remedy: 'liftLimits',
    cause: 'nginx answers 503 itself: the site is in maintenance, or over a limit',
    broken: { pass: 'return 503;', page: 'return 503;' },
    says: 'nginx: no return 503 or 429, no limit_req',
  }),
  setUp('nginx with a limit on the rate of requests', 'nginx', {
    remedy: 'liftLimits',
    cause: 'refuses the request because of a rate limit (429)',
    broken: { limit: 'return 429;' },
    says: 'Exempt /service_cookie_transfer/ from the limit',
  }),
  setUp('Apache with its default for encoded slashes', 'apache', {
    remedy: 'forwardBelow',
    rule: 'live/methods',
    cause: 'below the point does not reach the service, the answer was 404',
    broken: { slashes: '' },
    says: 'Apache: AllowEncodedSlashes NoDecode, and nocanon on ProxyPass',
  }),
  setUp('HAProxy that forwards the path of the point alone', 'haproxy', {
    remedy: 'forwardBelow',
    rule: 'live/methods',
    cause: 'below the point does not reach the service, the answer was 404',
    broken: { deny: 'http-request deny deny_status 404 unless { path /service_cookie_transfer/ }' },
    says: 'HAProxy: path_beg /service_cookie_transfer/, not path',
  }),
  setUp('nginx that drops the fields of the request', 'nginx', {
    remedy: 'keepFields',
    through: 'service',
    cause: "does not pass on the request's headers",
    broken: { drop: 'proxy_pass_request_headers off;' },
    says: 'nginx: no proxy_pass_request_headers off',
  }),
  setUp('nginx without the origin', 'nginx', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/origin',
    cause: 'X-Continuation-Origin does not arrive',
    broken: { origin: '' },
  }),
  setUp('Caddy that adds its origin to the one that came', 'caddy', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/origin',
    cause: 'X-Continuation-Origin is passed on as the client sends it',
    broken: ({ origin }) => ({ parts: { origin: `header_up +X-Continuation-Origin ${origin}` } }),
  }),
  setUp('nginx with a body limit of nothing', 'nginx', {
    rule: 'live/methods',
    cause: '413',
    broken: { body: 'client_max_body_size 1;' },
    says: 'Let every method through to the service',
  }),
  setUp('a config that takes the site for the service', 'nginx', {
    rule: 'service/same-host',
    cause: 'the proxy would call itself',
    broken: ({ origin }) => ({ config: { service: { url: origin } } }),
    fixed: ({ service }) => ({ config: { service: { url: `http://${service}` } } }),
    says: 'Write the host of the co-browsing service in "service.url"',
  }),
  setUp('a config with another port than the service has', 'nginx', {
    remedy: 'sendHost',
    cause: 'The point reaches another service than the config names',
    broken: () => ({ config: { service: { url: 'http://127.0.0.1:9' } } }),
    fixed: ({ service }) => ({ config: { service: { url: `http://${service}` } } }),
    says: 'correct "service.url" if',
  }),
  setUp('nginx that sends www to the bare domain', 'nginx', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'to another host, shop.localhost',
    broken: ({ port }) => ({
      parts: {
        site: `if ($host = www.shop.localhost) { return 301 http://shop.localhost:${port}$request_uri; }`,
      },
    }),
    says: 'or write the point as http://shop.localhost:',
  }),
]

/** A second server, which sends to https what it takes for http; its page does so too. */
function toInner({ folder, next }: Place) {
  const redirect = 'if ($http_x_forwarded_proto != https) { return 301 https://$http_host$request_uri; }'
  return {
    ...toListen('service'),
    http: `server { listen unix:${folder}/inner; ${BUFFERS} ${redirect}
      location / { proxy_pass http://${next}; proxy_set_header Host $http_host; } }`,
    pass: `proxy_pass http://unix:${folder}/inner;`,
    page: redirect,
  }
}
