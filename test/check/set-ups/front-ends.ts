import { BUFFERS, PAGE, type Place, SKIPPED, TLS_FLAGS, toListen, toPem } from './front-end-text.ts'
import { type Change, type SetUp, setUp, toShop } from './set-up.ts'

/** Mistakes of the front end, its certificate and the account. */
export const frontEnds: readonly SetUp[] = [
  setUp('nginx straight to the service, with the Host of the site', 'nginx', {
    remedy: 'sendHost',
    through: 'service',
    cause: 'a Host that is not its own',
    broken: { host: 'proxy_set_header Host $http_host;' },
  }),
  setUp('nginx that forwards the whole site', 'nginx', {
    remedy: 'onlyBelow',
    through: 'service',
    rule: 'live/outside',
    cause: 'More than the point is forwarded to the service',
    broken: ({ next, service, origin }) => ({
      parts: {
        page: `proxy_pass http://${next};`,
        html: '',
        site: `location / { proxy_pass http://${next}; proxy_set_header Host ${service}; proxy_set_header X-Widget-Key demo-widget-key; proxy_set_header X-Continuation-Origin ${origin}; }`,
      },
      flags: ['--skip', 'page/unreachable', '--skip', 'page/widget'],
    }),
    fixed: () => ({ parts: { page: '', html: PAGE, site: '' } }),
    says: 'Forward only what is below /service_cookie_transfer/',
  }),
  setUp('HAProxy with a path behind the host, which is a second host', 'haproxy', {
    remedy: 'onlyBelow',
    rule: 'live/outside',
    through: 'service',
    cause: 'More than the point is forwarded to the service',
    broken: ({ host, port }) => ({
      parts: {
        route: `acl point hdr(host) -i ${host}:${port} path_beg /service_cookie_transfer/
  use_backend points if point`,
      },
    }),
    fixed: { route: 'use_backend points if { path_beg /service_cookie_transfer/ }' },
    says: 'a path_beg behind hdr(host) on one line is a second host name',
  }),
  setUp('nginx without the TLS name of the service', 'nginx', {
    remedy: 'findNextHop',
    through: 'service',
    // The end of TLS is nginx too, so its name is no sign of the front end.
    cause: 'Your web server answers 502 itself: what it forwards to does not answer',
    isNamed: true,
    broken: (place) => toNamed(place, ''),
    fixed: (place) => toNamed(place, 'proxy_ssl_server_name on; proxy_ssl_name localhost;'),
    says: 'or fix its TLS name, certificate authorities or network route: the service itself answers this check',
  }),
  setUp('HAProxy without the TLS name of the service', 'haproxy', {
    remedy: 'findNextHop',
    through: 'service',
    cause: 'HAProxy answers 503 itself: what it forwards to does not answer',
    broken: (place) => toStrict(place, ''),
    fixed: (place) => toStrict(place, 'sni str(localhost)'),
    says: 'or fix its TLS name',
  }),
  setUp('nginx with rules for files and hidden names', 'nginx', {
    remedy: 'forwardBelow',
    rule: 'live/methods',
    cause: 'a rule of the site for such names answers in place of the service',
    broken: ({ next }) => ({
      parts: {
        site: 'location ~* \\.(?:js|json)$ { return 404; } location ~ \\.php$ { return 404; } location ~ /\\. { deny all; }',
        around: `location /service_cookie_transfer/ { proxy_pass http://${next}; proxy_redirect off; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Forwarded-Host ""; proxy_set_header Forwarded ""; proxy_buffer_size 64k; proxy_buffers 4 64k; }`,
      },
    }),
    fixed: ({ next }) => ({
      parts: {
        around: `location ^~ /service_cookie_transfer/ { proxy_pass http://${next}; proxy_redirect off; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Forwarded-Host ""; proxy_set_header Forwarded ""; proxy_buffer_size 64k; proxy_buffers 4 64k; }`,
      },
    }),
    says: 'Put the point before the rules for files and hidden names',
    shows: ['widget.js', '.hidden'],
  }),
  setUp('nginx with its default buffer for heads of answers', 'nginx', {
    remedy: 'allowLargeAnswers',
    rule: 'live/response-size',
    cause: 'KiB of Set-Cookie lines does not come back: the answer was 502',
    broken: { answers: '' },
    fixed: { answers: 'proxy_buffer_size 64k; proxy_buffers 4 64k;' },
  }),
  setUp('nginx with the site in its place', 'nginx', {
    remedy: 'route',
    cause: 'The point does not reach the service',
    broken: { around: 'location / { return 200 "welcome"; }' },
    fixed: ({ next }) => ({
      parts: {
        around: `location ^~ /service_cookie_transfer/ { proxy_pass http://${next}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Forwarded-Host ""; proxy_set_header Forwarded ""; proxy_buffer_size 64k; proxy_buffers 4 64k; }`,
      },
    }),
    shows: ['send 1, 1 of them only to failing points', 'render --mode forward'],
  }),
  setUp('nginx with the location, and a return before it', 'nginx', {
    remedy: 'route',
    cause: 'The point does not reach the service',
    broken: { site: 'if ($request_uri ~ transfer) { return 404; }' },
    says: 'move any return or if of the server block into location /',
  }),
  setUp('nginx with the location, and a redirect before it', 'nginx', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'from http to https',
    broken: { site: 'if ($request_uri !~ "^/$") { return 301 https://$http_host$request_uri; }' },
    fixed: { site: 'location / { return 301 https://$http_host$request_uri; }' },
    says: 'move any return or if of the server block into location /',
  }),
  setUp('nginx straight to the service, with the cookie path', 'nginx', {
    remedy: 'forwardTo',
    through: 'service',
    cause: 'the answer that the service has on another path, such as /shop/service_cookie_transfer/',
    broken: toShop,
    fixed: toCut,
    says: 'in the http block: map $request_uri $rest { ~^/shop(?<cut>/.*) $cut; default $request_uri; }, in the location: resolver DNS_SERVER; proxy_pass http://SERVICE$rest;',
  }),
  setUp('nginx that cuts the cookie path by if and set, which encode it once more', 'nginx', {
    remedy: 'keepRawPath',
    through: 'service',
    rule: 'live/methods',
    cause: 'path and query arrive encoded once more',
    broken: (place) => ({
      ...toShop(place),
      parts: {
        pass: `set $rest $request_uri; if ($request_uri ~ "^/shop(/.*)") { set $rest $1; } proxy_pass http://${place.service}$rest;`,
      },
    }),
    fixed: toCut,
    says: 'and no rewrite, if or set that changes it; a map may',
  }),
  setUp('nginx whose if and set leave nothing of the point', 'nginx', {
    through: 'service',
    cause: 'The point is forwarded to another path of the service',
    broken: ({ service }) => ({
      ...BARE,
      parts: {
        pass: `set $rest ""; if ($uri ~ "^/service_cookie_transfer/(.*)") { set $rest $1; } proxy_pass http://${service}/$rest;`,
      },
    }),
    fixed: ({ service }) => ({ ...BARE, parts: { pass: `proxy_pass http://${service};` } }),
    says: 'no if, set or rewrite that cuts it',
  }),
  setUp('nginx with a method of its own', 'nginx', {
    remedy: 'allowMethods',
    rule: 'live/methods',
    cause: 'it arrives as GET',
    broken: { method: 'proxy_method GET;' },
    says: 'no proxy_method',
  }),
  setUp('nginx that decodes the path', 'nginx', {
    remedy: 'keepRawPath',
    rule: 'live/methods',
    cause: 'the path arrives decoded',
    broken: ({ next }) => ({ parts: { pass: `proxy_pass http://${next}/service_cookie_transfer/;` } }),
    says: 'nginx: no path behind the host in proxy_pass',
    shows: ['a%2Fb/%7Ec', 'a/b/~c'],
  }),
  setUp('nginx that cuts deep paths', 'nginx', {
    remedy: 'keepRawPath',
    rule: 'live/methods',
    cause: 'the path arrives cut',
    broken: { rewrite: 'rewrite ^ /service_cookie_transfer/ break;' },
    says: 'and no rewrite',
    shows: ['check/a%2Fb/%7Ec'],
  }),
  setUp('Apache without nocanon', 'apache', {
    remedy: 'keepRawPath',
    rule: 'live/methods',
    cause: 'the path arrives decoded',
    broken: ({ next }) => ({
      parts: {
        pass: `ProxyPass /service_cookie_transfer/ http://${next}/service_cookie_transfer/`,
        slashes: 'AllowEncodedSlashes On',
      },
    }),
    says: 'Apache: nocanon on ProxyPass, and AllowEncodedSlashes NoDecode',
  }),
  setUp('nginx that lets GET through alone', 'nginx', {
    remedy: 'allowMethods',
    rule: 'live/methods',
    cause: '403',
    broken: { limit: 'limit_except GET { deny all; }' },
    says: 'nginx: no limit_except',
  }),
  setUp('nginx with the REST key in place of the widget key', 'nginx', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/widget-key',
    cause: "is the config's REST key, not its widget key",
    broken: { key: 'proxy_set_header X-Widget-Key demo-api-key;' },
    says: 'Set X-Widget-Key to the key in the widget code at your web server or proxy',
  }),
  setUp('nginx with a widget key that does not exist', 'nginx', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/widget-key',
    cause: 'does not know the widget key',
    broken: { key: 'proxy_set_header X-Widget-Key demo-key;' },
    says: 'nginx, in the location itself: proxy_set_header X-Widget-Key <WIDGET_KEY>;',
  }),
  setUp('HAProxy with an empty origin', 'haproxy', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/origin',
    cause: 'X-Continuation-Origin arrives empty',
    broken: { origin: 'http-request set-header X-Continuation-Origin %[var(txn.none)]' },
  }),
  setUp('nginx with the key of another customer, whose account lists the point too', 'nginx', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/widget-key',
    cause: "is not the config's",
    broken: { key: 'proxy_set_header X-Widget-Key other-widget-key;' },
    says: 'nginx, in the location itself: proxy_set_header X-Widget-Key <WIDGET_KEY>;',
  }),
  setUp('a config with its two keys swapped, which serve has too', 'nginx', {
    rule: 'live/widget-key',
    cause: '"widgetKey" of the config is the REST key of the account: the two keys are swapped',
    broken: () => ({
      serveKey: 'demo-api-key',
      config: { apiKey: 'demo-widget-key', widgetKey: 'demo-api-key' },
      flags: ['--skip', 'page/widget'],
    }),
    fixed: () => ({ config: {} }),
    says: 'Set "apiKey" to the REST key and "widgetKey" to the key in the widget code',
  }),
  setUp('a REST key of another customer', 'nginx', {
    rule: 'account/other-account',
    cause: 'belong to different accounts',
    broken: () => ({ config: { apiKey: 'other-api-key' } }),
    fixed: () => ({ config: { apiKey: 'demo-api-key' } }),
    says: 'Take "apiKey" and "widgetKey" from the integration panel of one account',
  }),
  setUp('HAProxy without the widget key', 'haproxy', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/widget-key',
    cause: 'X-Widget-Key does not arrive',
    broken: { key: '' },
    says: 'HAProxy: http-request set-header X-Widget-Key <WIDGET_KEY>',
  }),
  setUp('Caddy with the origin of another scheme', 'caddy', {
    remedy: 'setField',
    through: 'service',
    rule: 'live/origin',
    cause: 'X-Continuation-Origin is https://',
    broken: ({ origin }) => ({
      parts: { origin: `header_up X-Continuation-Origin ${origin.replace('http:', 'https:')}` },
    }),
  }),
  setUp('an account that does not list the point', 'nginx', {
    rule: 'account/url-not-registered',
    cause: 'The account does not list this',
    broken: () => ({ account: { cookie_transfer_urls: [] } }),
    fixed: () => ({}),
    says: 'Add http://www.shop.localhost:',
  }),
  setUp('an account without the cookies of the config', 'nginx', {
    rule: 'account/scopes-differ',
    cause: "The account's cookies differ from the config's: 1 missing in the account",
    broken: () => ({ account: { cookie_transfer_scopes: [] } }),
    fixed: () => ({}),
    says: 'Write the scopes of the config to the account',
  }),
  setUp('an account that differs in everything', 'nginx', {
    rule: 'account/proxying-disabled',
    cause: 'Continuation points are switched off in the account',
    also: [
      'account/url-not-registered',
      'account/url-stale',
      'account/scopes-differ',
      'account/back-transfer',
    ],
    broken: ({ point }) => ({
      config: { backTransfer: false },
      account: {
        cookie_transfer_proxying: false,
        cookie_transfer_urls: [point.replace(/\/$/, '')],
        cookie_transfer_scopes: [{ name: 'sid', domain: '.www.shop.localhost', path: '/', httponly: true }],
        enable_cookie_backtransfer: true,
      },
    }),
    fixed: () => ({}),
    says: 'Set cookie_transfer_proxying to true',
    shows: [
      '✖ error account/proxying-disabled\n  The account differs from the config\n  +    cookie_transfer_proxying: true\n',
      '  +    sid www.shop.localhost / httponly\n  −    sid .www.shop.localhost / httponly\n  +    enable_cookie_backtransfer: false\n  why ',
      'fix  Write the config to the account',
    ],
  }),
  setUp('the same, of a service with a name on this machine', 'nginx', {
    through: 'service',
    rule: 'account/url-not-registered',
    cause: 'The account does not list this',
    broken: (place) => ({ ...byName(place), account: { cookie_transfer_urls: [] } }),
    fixed: byName,
    says: 'to cookie_transfer_urls',
  }),
  setUp('nginx with a cache for the whole site', 'nginx', {
    remedy: 'bypassCache',
    rule: 'live/cached',
    cause: 'The answer to one request came back for another',
    broken: { http: 'proxy_cache all; proxy_cache_valid 200 1m; proxy_ignore_headers Cache-Control;' },
    fixed: { cache: 'proxy_cache off;' },
  }),
  setUp('nginx with its default header buffers', 'nginx', {
    remedy: 'allowLargeHeads',
    rule: 'live/header-size',
    cause: 'A Cookie line of 8 KiB does not arrive',
    broken: { buffers: '' },
  }),
  setUp('Apache with limits after its virtual hosts', 'apache', {
    remedy: 'allowLargeHeads',
    rule: 'live/header-size',
    cause: 'A Cookie line of 8 KiB does not arrive',
    broken: { limits: '', lateLimits: 'LimitRequestFieldSize 65536' },
    fixed: { limits: 'LimitRequestFieldSize 65536', lateLimits: '' },
    says: 'Apache: LimitRequestFieldSize 65536 before the virtual hosts',
  }),
  setUp('nginx with its default proxy_redirect', 'nginx', {
    remedy: 'keepLocation',
    through: 'service',
    rule: 'live/redirect',
    cause: 'rewrote the Location',
    broken: { redirect: '' },
  }),
  setUp('nginx that changes the scheme of each Location of the site', 'nginx', {
    remedy: 'keepLocation',
    rule: 'live/redirect',
    cause: 'rewrote the Location',
    broken: { redirect: '', http: 'proxy_redirect http:// https://;' },
    fixed: { redirect: 'proxy_redirect off;' },
  }),
  setUp('HAProxy that speaks TLS to each server of the site', 'haproxy', {
    remedy: 'findNextHop',
    cause: 'HAProxy answers 503 itself',
    broken: { servers: 'default-server ssl verify none' },
    says: 'default-server of defaults',
  }),
  setUp('nginx that sends to a login', 'nginx', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'to a login',
    broken: { login: 'return 302 /login?next=$uri;' },
    says: 'nginx: location ^~ /service_cookie_transfer/ with no return',
  }),
  setUp('Caddy that redirects the site', 'caddy', {
    remedy: 'except',
    rule: 'live/redirect',
    cause: 'to another host, other.localhost',
    broken: { before: 'redir * http://other.localhost{uri} 302' },
    fixed: {
      before: `handle / {\n respond ${JSON.stringify(PAGE)}\n }\n handle {\n redir * http://other.localhost{uri} 302\n }`,
    },
    says: 'Caddy: handle /service_cookie_transfer/* and handle { redir … }: a redir on its own comes first, wherever it stands',
  }),
  setUp('nginx that moves the path of cookies', 'nginx', {
    remedy: 'keepSetCookie',
    rule: 'live/set-cookie',
    cause: 'Set-Cookie lines are rewritten',
    broken: { path: 'proxy_cookie_path / /shop/;' },
    says: 'nginx: no proxy_cookie_path',
  }),
  setUp('nginx that replaces cookies', 'nginx', {
    remedy: 'keepCookie',
    rule: 'live/set-cookie',
    cause: 'The Cookie line does not arrive as it was sent',
    broken: { cookie: 'proxy_set_header Cookie "continuation_point_check=22; other=333";' },
    says: 'no proxy_set_header Cookie',
    shows: ['sent     continuation_point_check=1, continuation_point_check=,', 'arrived  other=(3 bytes)'],
  }),
  setUp('HAProxy that drops Set-Cookie', 'haproxy', {
    remedy: 'keepSetCookie',
    rule: 'live/set-cookie',
    cause: 'Set-Cookie lines are lost: all',
    broken: { drop: 'http-response del-header Set-Cookie' },
    says: 'HAProxy: no http-response rule on Set-Cookie',
  }),
  setUp('nginx with a certificate of a private authority', 'nginx', {
    remedy: 'showCertificate',
    ...overTls('service'),
    cause: "is from an authority that browsers don't know, Test authority",
    broken: () => ({ parts: toListen('service'), flags: SKIPPED }),
    fixed: () => ({ parts: toListen('service'), flags: [...SKIPPED, '--ca-file', 'ca.pem'] }),
    says: 'check with --ca-file FILE',
  }),
  setUp('nginx without the intermediate certificate', 'nginx', {
    remedy: 'showCertificate',
    ...overTls('leaf-alone'),
    cause: 'comes alone: the intermediate is missing, Test intermediate',
    broken: () => ({ parts: toListen('leaf-alone'), flags: [...SKIPPED, '--ca-file', 'root.pem'] }),
    fixed: () => ({ parts: toListen('whole-chain'), flags: [...SKIPPED, '--ca-file', 'root.pem'] }),
    says: 'Send the full chain',
  }),
  setUp('nginx with an expired certificate', 'nginx', {
    remedy: 'showCertificate',
    ...overTls('expired'),
    cause: 'has expired',
    says: 'Renew it',
  }),
  setUp('nginx with a certificate that is not valid yet', 'nginx', {
    remedy: 'showCertificate',
    ...overTls('early'),
    cause: 'is not valid yet',
    says: 'Check the clock of this machine',
  }),
  setUp('nginx with the certificate of another host', 'nginx', {
    remedy: 'showCertificate',
    ...overTls('other-name'),
    cause: 'is for another host',
    says: 'nginx: ssl_certificate FULLCHAIN.pem;',
  }),
  setUp('nginx with CORS of its own', 'nginx', {
    remedy: 'leaveCrossOrigin',
    rule: 'live/cors',
    cause: 'Access-Control-Allow-Origin arrives 2 times',
    broken: (place) => ({
      ...otherPage(place),
      parts: { cors: 'add_header Access-Control-Allow-Origin *;' },
    }),
    says: 'nginx: no add_header Access-Control-*',
  }),
  setUp('nginx that drops Origin', 'nginx', {
    remedy: 'keepFields',
    rule: 'live/cors',
    cause: 'Origin does not arrive at the service',
    broken: (place) => ({ ...otherPage(place), parts: { drop: 'proxy_set_header Origin "";' } }),
    says: 'nginx: no proxy_pass_request_headers off, no proxy_set_header Accept, Cookie or Origin',
  }),
  setUp('nginx that lets every website read the answers', 'nginx', {
    remedy: 'leaveCrossOrigin',
    rule: 'live/cors',
    cause: "Pages of any website may read the point's answers, with the visitor's cookies",
    broken: {
      cors: 'add_header Access-Control-Allow-Origin $http_origin always; add_header Access-Control-Allow-Credentials true always;',
    },
    says: 'nginx: no add_header Access-Control-*',
    shows: ['Access-Control-Allow-Origin is https://stranger.continuation-point.invalid'],
  }),
  setUp('Caddy that lets every website read the answers', 'caddy', {
    remedy: 'leaveCrossOrigin',
    rule: 'live/cors',
    cause:
      "Pages of any website may read the point's answers: Access-Control-Allow-Origin is * for Origin https://",
    broken: { cors: 'header_down Access-Control-Allow-Origin *' },
    says: 'Caddy: no header or header_down Access-Control-*',
  }),
]

/** As if the URL of the point alone were given. */
const BARE: Change = { config: { service: undefined, apiKey: undefined, widgetKey: undefined } }

/** The service behind TLS, which refuses who sends no name; the front end reaches it with these lines too. */
function toNamed({ port, service }: Place, lines: string): Change {
  const { listen: certificates } = toListen('service')
  const end = `127.0.0.3:${port}`
  return {
    ...ofNamed(port, service),
    parts: {
      http: `server { listen ${end} ssl default_server; ssl_reject_handshake on; }
        server { listen ${end} ssl; server_name localhost; ${certificates} ${BUFFERS}
          location / { proxy_pass http://${service}; proxy_set_header Host $http_host; client_max_body_size 0; } }`,
      pass: `proxy_pass https://${end}; ${lines}`,
      host: `proxy_set_header Host localhost:${port};`,
    },
  }
}

function toStrict({ port, service, origin, folder }: Place, name: string): Change {
  const end = `127.0.0.3:${port}`
  return {
    ...ofNamed(port, service),
    parts: {
      route: 'use_backend tls if { path_beg /service_cookie_transfer/ }',
      sections: `backend tls
  http-request set-header Host localhost:${port}
  http-request set-header X-Widget-Key demo-widget-key
  http-request set-header X-Continuation-Origin ${origin}
  server tls ${end} ssl verify none ${name}
frontend end
  bind ${end} ssl crt ${toPem(folder, 'service')} strict-sni
  default_backend end
backend end
  server end ${service}`,
    },
  }
}

function ofNamed(port: number, service: string): Change {
  return {
    flags: ['--resolve', `localhost:${port}:127.0.0.3`, '--ca-file', 'ca.pem'],
    config: { service: { url: `https://localhost:${port}`, api: `http://${service}/v2` } },
  }
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
