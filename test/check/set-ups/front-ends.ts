import { PAGE, type Place, SKIPPED, TLS_FLAGS, toListen } from './front-end-text.ts'
import type { Change, SetUp } from './set-up.ts'

/** Mistakes of the front end, its certificate and the account. */
export const frontEnds: readonly SetUp[] = [
  setUp('nginx straight to the service, with the Host of the site', {
    remedy: 'sendHost',
    through: 'service',
    rule: 'live/forwarded',
    cause: 'which is the host of the site',
    broken: () => ({ parts: { host: 'proxy_set_header Host $http_host;' } }),
    fixed: ({ service }) => ({ parts: { host: `proxy_set_header Host ${service};` } }),
  }),
  setUp('nginx with the site in its place', {
    remedy: 'route',
    rule: 'live/forwarded',
    cause: 'The point does not reach the service',
    broken: () => ({ parts: { around: 'location / { return 200 "welcome"; }' } }),
    fixed: ({ next }) => ({
      parts: {
        around: `location ^~ /service_cookie_transfer/ { proxy_pass http://${next}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme; }`,
      },
    }),
    shows: ['Cookies: a browser would send 1', '(continuation-point render'],
  }),
  setUp('nginx with the location, and a return before it', {
    remedy: 'route',
    rule: 'live/forwarded',
    cause: 'The point does not reach the service',
    broken: () => ({ parts: { site: 'if ($request_uri ~ transfer) { return 404; }' } }),
    fixed: () => ({ parts: { site: '' } }),
    says: 'if it is there already, move a return or if of the server block into location /',
  }),
  setUp('nginx with the location, and a redirect before it', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'from http to https',
    broken: () => ({
      parts: { site: 'if ($request_uri !~ "^/$") { return 301 https://$http_host$request_uri; }' },
    }),
    fixed: () => ({ parts: { site: 'location / { return 301 https://$http_host$request_uri; }' } }),
    says: 'if it is there already, move a return or if of the server block into location /',
  }),
  setUp('nginx straight to the service, with the cookie path', {
    remedy: 'forwardTo',
    through: 'service',
    rule: 'live/forwarded',
    cause: 'the answer that the service has on another path, such as /shop/service_cookie_transfer/',
    broken: toShop,
    fixed: toCut,
    says: 'nginx: map $request_uri $rest { ~^/shop(?<cut>/.*) $cut; default $request_uri; } in http, and proxy_pass http://SERVICE$rest;',
  }),
  setUp('nginx that cuts the cookie path by if and set, which encode it once more', {
    remedy: 'keepRawPath',
    through: 'service',
    rule: 'live/methods',
    cause: 'a different path arrives',
    broken: (place) => ({
      ...toShop(place),
      parts: {
        pass: `set $rest $request_uri; if ($request_uri ~ "^/shop(/.*)") { set $rest $1; } proxy_pass http://${place.service}$rest;`,
      },
    }),
    fixed: toCut,
    says: 'and no rewrite, if or set that changes it; a map of $request_uri may',
  }),
  setUp('nginx that sets the path', {
    remedy: 'keepRawPath',
    rule: 'live/methods',
    cause: 'the path arrives cut',
    broken: ({ next }) => ({
      parts: { pass: `set $rest /service_cookie_transfer/?$args; proxy_pass http://${next}$rest;` },
    }),
    fixed: ({ next }) => ({ parts: { pass: `proxy_pass http://${next};` } }),
    says: 'nginx: no path behind the host in proxy_pass, and no rewrite, if or set',
  }),
  setUp('nginx with a method of its own', {
    remedy: 'allowMethods',
    rule: 'live/methods',
    cause: 'it arrives as GET',
    broken: () => ({ parts: { method: 'proxy_method GET;' } }),
    fixed: () => ({ parts: { method: '' } }),
    says: 'no proxy_method',
  }),
  setUp('nginx that decodes the path', {
    remedy: 'keepRawPath',
    rule: 'live/methods',
    cause: 'the path arrives decoded',
    broken: ({ next }) => ({ parts: { pass: `proxy_pass http://${next}/service_cookie_transfer/;` } }),
    fixed: ({ next }) => ({ parts: { pass: `proxy_pass http://${next};` } }),
    says: 'nginx: no path behind the host in proxy_pass',
    shows: ['a%2Fb/%7Ec', 'a/b/~c'],
  }),
  setUp('nginx that cuts deep paths', {
    remedy: 'keepRawPath',
    rule: 'live/methods',
    cause: 'the path arrives cut',
    broken: () => ({ parts: { rewrite: 'rewrite ^ /service_cookie_transfer/ break;' } }),
    fixed: () => ({ parts: { rewrite: '' } }),
    says: 'and no rewrite',
    shows: ['check/a%2Fb/%7Ec'],
  }),
  setUp('Apache without nocanon', {
    remedy: 'keepRawPath',
    server: 'apache',
    rule: 'live/methods',
    cause: 'the path arrives decoded',
    broken: ({ next }) => ({
      parts: {
        pass: `ProxyPass /service_cookie_transfer/ http://${next}/service_cookie_transfer/`,
        slashes: 'AllowEncodedSlashes On',
      },
    }),
    fixed: ({ next }) => ({
      parts: {
        pass: `ProxyPass /service_cookie_transfer/ http://${next}/service_cookie_transfer/ nocanon`,
        slashes: 'AllowEncodedSlashes NoDecode',
      },
    }),
    says: 'Apache: nocanon on ProxyPass, and AllowEncodedSlashes NoDecode',
  }),
  setUp('nginx that lets GET through alone', {
    remedy: 'allowMethods',
    rule: 'live/methods',
    cause: '403',
    broken: () => ({ parts: { limit: 'limit_except GET { deny all; }' } }),
    fixed: () => ({ parts: { limit: '' } }),
    says: 'nginx: no limit_except',
  }),
  setUp('nginx with the REST key in place of the widget key', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/widget-key',
    cause: "is the config's REST key, not its widget key",
    broken: () => ({ parts: { key: 'proxy_set_header X-Widget-Key demo-api-key;' } }),
    fixed: () => ({ parts: { key: 'proxy_set_header X-Widget-Key demo-widget-key;' } }),
    says: 'nginx: proxy_set_header X-Widget-Key <WIDGET_KEY>;',
  }),
  setUp('nginx with a widget key that does not exist', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/widget-key',
    cause: 'does not know the widget key',
    broken: () => ({ parts: { key: 'proxy_set_header X-Widget-Key demo-key;' } }),
    fixed: () => ({ parts: { key: 'proxy_set_header X-Widget-Key demo-widget-key;' } }),
    says: 'nginx: proxy_set_header X-Widget-Key <WIDGET_KEY>;',
  }),
  setUp('HAProxy with an empty origin', {
    remedy: 'setField',
    server: 'haproxy',
    through: 'service',
    rule: 'live/origin',
    cause: 'X-Continuation-Origin arrives empty',
    broken: () => ({ parts: { origin: 'http-request set-header X-Continuation-Origin %[var(txn.none)]' } }),
    fixed: ({ origin }) => ({ parts: { origin: `http-request set-header X-Continuation-Origin ${origin}` } }),
  }),
  setUp('nginx with the key of another customer, whose account lists the point too', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/widget-key',
    cause: "is not the config's",
    broken: () => ({ parts: { key: 'proxy_set_header X-Widget-Key other-widget-key;' } }),
    fixed: () => ({ parts: { key: 'proxy_set_header X-Widget-Key demo-widget-key;' } }),
    says: 'nginx: proxy_set_header X-Widget-Key <WIDGET_KEY>;',
  }),
  setUp('a REST key of another customer', {
    rule: 'account/other-account',
    cause: 'belong to different accounts',
    broken: () => ({ config: { apiKey: 'other-api-key' } }),
    fixed: () => ({ config: { apiKey: 'demo-api-key' } }),
    says: 'Take "apiKey" and "widgetKey" from the integration panel of one account',
  }),
  setUp('HAProxy without the widget key', {
    remedy: 'setField',
    server: 'haproxy',
    through: 'service',
    rule: 'live/widget-key',
    cause: 'X-Widget-Key does not arrive',
    broken: () => ({ parts: { key: '' } }),
    fixed: () => ({ parts: { key: 'http-request set-header X-Widget-Key demo-widget-key' } }),
    says: 'HAProxy: http-request set-header X-Widget-Key <WIDGET_KEY>',
  }),
  setUp('Caddy with the origin of another scheme', {
    remedy: 'setField',
    server: 'caddy',
    through: 'service',
    rule: 'live/origin',
    cause: 'X-Continuation-Origin is https://',
    broken: ({ origin }) => ({
      parts: { origin: `header_up X-Continuation-Origin ${origin.replace('http:', 'https:')}` },
    }),
    fixed: ({ origin }) => ({ parts: { origin: `header_up X-Continuation-Origin ${origin}` } }),
  }),
  setUp('an account that does not list the point', {
    rule: 'account/url-not-registered',
    cause: 'The account does not list this',
    broken: () => ({ account: { cookie_transfer_urls: [] } }),
    fixed: () => ({}),
    says: 'to cookie_transfer_urls',
  }),
  setUp('the same, of a service with a name on this machine', {
    through: 'service',
    rule: 'account/url-not-registered',
    cause: 'The account does not list this',
    broken: (place) => ({ ...byName(place), account: { cookie_transfer_urls: [] } }),
    fixed: byName,
    says: 'to cookie_transfer_urls',
  }),
  setUp('nginx with a cache', {
    remedy: 'bypassCache',
    rule: 'live/cached',
    cause: 'The answer to one request came back for another',
    broken: () => ({
      parts: { cache: 'proxy_cache all; proxy_cache_valid 200 1m; proxy_ignore_headers Cache-Control;' },
    }),
    fixed: () => ({ parts: { cache: 'proxy_cache off;' } }),
  }),
  setUp('nginx with its default header buffers', {
    remedy: 'allowLargeHeads',
    rule: 'live/header-size',
    cause: 'A Cookie line of 8 KiB does not arrive',
    broken: () => ({ parts: { buffers: '' } }),
    fixed: () => ({ parts: { buffers: 'large_client_header_buffers 4 64k;' } }),
  }),
  setUp('Apache with limits after its virtual hosts', {
    remedy: 'allowLargeHeads',
    server: 'apache',
    rule: 'live/header-size',
    cause: 'A Cookie line of 8 KiB does not arrive',
    broken: () => ({ parts: { limits: '', lateLimits: 'LimitRequestFieldSize 65536' } }),
    fixed: () => ({ parts: { limits: 'LimitRequestFieldSize 65536', lateLimits: '' } }),
    says: 'Apache: LimitRequestFieldSize 65536 before the virtual hosts',
  }),
  setUp('nginx with its default proxy_redirect', {
    remedy: 'keepLocation',
    through: 'service',
    rule: 'live/redirect',
    cause: 'rewrote the Location',
    broken: () => ({ parts: { redirect: '' } }),
    fixed: () => ({ parts: { redirect: 'proxy_redirect off;' } }),
  }),
  setUp('nginx that sends to a login', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'to a login',
    broken: () => ({ parts: { login: 'return 302 /login?next=$uri;' } }),
    fixed: () => ({ parts: { login: '' } }),
    says: 'nginx: location ^~ /service_cookie_transfer/ with no return',
  }),
  setUp('nginx that sends to https', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'from http to https',
    broken: () => ({ parts: { secure: 'return 301 https://$http_host$request_uri;' } }),
    fixed: () => ({ parts: { secure: '' } }),
    says: 'nginx: location ^~ /service_cookie_transfer/ with no return',
  }),
  setUp('Caddy that redirects the site', {
    remedy: 'except',
    server: 'caddy',
    rule: 'live/redirect',
    cause: 'to another host, other.localhost',
    broken: () => ({ parts: { before: 'redir * http://other.localhost{uri} 302' } }),
    fixed: () => ({
      parts: {
        before: `handle / {\n respond ${JSON.stringify(PAGE)}\n }\n handle {\n redir * http://other.localhost{uri} 302\n }`,
      },
    }),
    says: 'Caddy: handle /service_cookie_transfer/* and handle { redir … }: a redir on its own comes first, wherever it stands',
  }),
  setUp('nginx that moves the path of cookies', {
    remedy: 'keepSetCookie',
    rule: 'live/set-cookie',
    cause: 'Set-Cookie lines are rewritten',
    broken: () => ({ parts: { path: 'proxy_cookie_path / /shop/;' } }),
    fixed: () => ({ parts: { path: '' } }),
    says: 'nginx: no proxy_cookie_path',
  }),
  setUp('nginx that replaces cookies', {
    remedy: 'keepCookie',
    rule: 'live/set-cookie',
    cause: 'The Cookie line does not arrive as it was sent',
    broken: () => ({
      parts: { cookie: 'proxy_set_header Cookie "continuation_point_check=22; other=333";' },
    }),
    fixed: () => ({ parts: { cookie: '' } }),
    says: 'no proxy_set_header Cookie',
    shows: ['sent     continuation_point_check=1, continuation_point_check=,', 'arrived  other=(3 bytes)'],
  }),
  setUp('nginx that takes HttpOnly away', {
    remedy: 'keepSetCookie',
    rule: 'live/set-cookie',
    cause: 'Set-Cookie lines are rewritten',
    broken: () => ({ parts: { flags: 'proxy_cookie_flags ~ nohttponly;' } }),
    fixed: () => ({ parts: { flags: '' } }),
    says: 'proxy_cookie_flags',
  }),
  setUp('HAProxy that drops Set-Cookie', {
    remedy: 'keepSetCookie',
    server: 'haproxy',
    rule: 'live/set-cookie',
    cause: 'Set-Cookie lines are lost: all',
    broken: () => ({ parts: { drop: 'http-response del-header Set-Cookie' } }),
    fixed: () => ({ parts: { drop: '' } }),
    says: 'HAProxy: no http-response rule on Set-Cookie',
  }),
  setUp('nginx with a certificate of a private authority', {
    remedy: 'showCertificate',
    ...overTls('service'),
    cause: "is from an authority that browsers don't know, Test authority",
    broken: () => ({ parts: toListen('service'), flags: SKIPPED }),
    fixed: () => ({ parts: toListen('service'), flags: [...SKIPPED, '--ca-file', 'ca.pem'] }),
    says: 'check with --ca-file FILE',
  }),
  setUp("nginx with a certificate of a company's authority, and its chain", {
    remedy: 'showCertificate',
    ...overTls('company'),
    cause: "is from an authority that browsers don't know, Test root",
    broken: () => ({ parts: toListen('company'), flags: SKIPPED }),
    fixed: () => ({ parts: toListen('company'), flags: [...SKIPPED, '--ca-file', 'root.pem'] }),
    says: 'check with --ca-file FILE',
  }),
  setUp('nginx without the intermediate certificate', {
    remedy: 'showCertificate',
    ...overTls('leaf-alone'),
    cause: 'comes without the intermediate certificate of its issuer, Test intermediate',
    broken: () => ({ parts: toListen('leaf-alone'), flags: [...SKIPPED, '--ca-file', 'root.pem'] }),
    fixed: () => ({ parts: toListen('whole-chain'), flags: [...SKIPPED, '--ca-file', 'root.pem'] }),
    says: 'Send the full chain',
  }),
  setUp('nginx with an expired certificate', {
    remedy: 'showCertificate',
    ...overTls('expired'),
    cause: 'has expired',
    says: 'Renew it',
  }),
  setUp('nginx with a certificate that is not valid yet', {
    remedy: 'showCertificate',
    ...overTls('early'),
    cause: 'is not valid yet',
    says: 'Check the clock of this machine',
  }),
  setUp('nginx with the certificate of another host', {
    remedy: 'showCertificate',
    ...overTls('other-name'),
    cause: 'is for another host',
    says: 'nginx: ssl_certificate FULLCHAIN.pem;',
  }),
  setUp('nginx with CORS of its own', {
    remedy: 'leaveCrossOrigin',
    rule: 'live/cors',
    cause: 'Access-Control-Allow-Origin arrives 2 times',
    broken: (place) => ({
      ...otherPage(place),
      parts: { cors: 'add_header Access-Control-Allow-Origin *;' },
    }),
    fixed: (place) => ({ ...otherPage(place), parts: { cors: '' } }),
    says: 'nginx: no add_header Access-Control-*',
  }),
  setUp('nginx that lets every website read the answers', {
    remedy: 'leaveCrossOrigin',
    rule: 'live/cors',
    cause: "Pages of any website may read the point's answers, with the visitor's cookies",
    broken: () => ({
      parts: {
        cors: 'add_header Access-Control-Allow-Origin $http_origin always; add_header Access-Control-Allow-Credentials true always;',
      },
    }),
    fixed: () => ({ parts: { cors: '' } }),
    says: 'nginx: no add_header Access-Control-*',
    shows: ['Access-Control-Allow-Origin is https://stranger.continuation-point.invalid'],
  }),
  setUp('Caddy that lets every website read the answers', {
    remedy: 'leaveCrossOrigin',
    server: 'caddy',
    rule: 'live/cors',
    cause:
      "Pages of any website may read the point's answers: Access-Control-Allow-Origin is * for Origin https://",
    broken: () => ({ parts: { cors: 'header_down Access-Control-Allow-Origin *' } }),
    fixed: () => ({ parts: { cors: '' } }),
    says: 'Caddy: no header or header_down Access-Control-*',
  }),
]

type Given = Pick<SetUp, 'rule' | 'cause' | 'broken' | 'fixed'> & Partial<SetUp>

function setUp(name: string, given: Given): SetUp {
  return { name, server: 'nginx', through: 'serve', scheme: 'http', says: '', ...given }
}

function overTls(certificate: string) {
  const flags = TLS_FLAGS
  return {
    scheme: 'https',
    rule: 'live/tls',
    broken: () => ({ parts: toListen(certificate), flags }),
    fixed: () => ({ parts: toListen('service'), flags }),
  } as const
}

/** The service under a name that every resolver knows as this machine (RFC 6761 section 6.3), and DNS does not. */
function byName({ service }: Place): Change {
  const named = `cobrowse.shop.localhost:${service.slice(service.indexOf(':') + 1)}`
  return {
    parts: { host: `proxy_set_header Host ${named};` },
    config: { service: { url: `http://${named}` } },
  }
}

/** A second point, on a cookie path. */
function toShop({ origin, point }: Place): Change {
  const points = [point, point.replace(origin, `${origin}/shop`)]
  return { account: { cookie_transfer_urls: points }, config: { points } }
}

function toCut(place: Place): Change {
  return {
    ...toShop(place),
    parts: {
      http: 'map $request_uri $rest { ~^/shop(?<cut>/.*) $cut; default $request_uri; }',
      pass: `proxy_pass http://${place.service}$rest;`,
    },
  }
}

/** A page on another origin, which the account lists too. */
function otherPage({ origin, point }: Place): Change {
  const other = `http://pay.www.shop.localhost:${new URL(origin).port}`
  const urls = [point, point.replace(origin, other)]
  return {
    served: [urls[1] ?? ''],
    account: { cookie_transfer_urls: urls },
    config: { pages: [`${origin}/`, `${other}/`], points: urls },
  }
}
