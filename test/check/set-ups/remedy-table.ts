import type { Place } from './front-end-text.ts'
import type { RemedyName } from './remedies.ts'
import type { Change, SetUp } from './set-up.ts'

type Parts = NonNullable<Change['parts']>

/** A mistake for each remedy that no other set-up is for. The config names the front end. */
type Row = readonly [
  remedy: RemedyName,
  rule: string,
  cause: string,
  broken: (place: Place) => Change | Parts,
  fixed: (place: Place) => Change | Parts,
  through?: 'service',
]

const P = '/service_cookie_transfer/'

const tables: Readonly<Partial<Record<SetUp['server'], readonly Row[]>>> = {
  nginx: [
    [
      'clearForwarding',
      'live/forwarded',
      'contradict each other',
      () => ({ forwarded: 'proxy_set_header Forwarded proto=https;' }),
      () => ({ forwarded: 'proxy_set_header Forwarded "";' }),
    ],
    [
      'forwardBelow',
      'live/methods',
      'what is below the point does not reach the service',
      ({ next }) => ({ around: `location = ${P} { ${toServe(next)} }` }),
      ({ next }) => ({ around: `location ^~ ${P} { ${toServe(next)} }` }),
    ],
    [
      'keepCacheControl',
      'live/cached',
      'Caches may store what the service forbids them to store',
      () => ({ expires: 'expires 1h;' }),
      () => ({ expires: 'expires off;' }),
    ],
    [
      'keepCookie',
      'live/set-cookie',
      'The Cookie line does not arrive',
      () => ({ cookie: 'proxy_set_header Cookie "";' }),
      () => ({ cookie: '' }),
    ],
    [
      'returnRedirects',
      'live/redirect',
      'followed a redirect of the service',
      ({ service, origin }) => ({
        follow: 'proxy_intercept_errors on; error_page 302 = @follow;',
        site: `location @follow { set $to $upstream_http_location; proxy_pass $to; proxy_set_header Host ${service};
          proxy_set_header X-Widget-Key demo-widget-key; proxy_set_header X-Continuation-Origin ${origin}; }`,
      }),
      () => ({ follow: '' }),
      'service',
    ],
  ],
  apache: [
    [
      'allowMethods',
      'live/methods',
      '403',
      () => ({ limit: `<Location ${P}>\n<Limit PUT>\nRequire all denied\n</Limit>\n</Location>` }),
      () => ({ limit: '' }),
    ],
    [
      'clearForwarding',
      'live/forwarded',
      'contradict each other',
      () => ({ forwarded: 'RequestHeader set Forwarded proto=https' }),
      () => ({ forwarded: 'RequestHeader unset Forwarded' }),
    ],
    [
      'except',
      'live/redirect',
      'to another host',
      () => ({ moved: 'RewriteRule "^/serv" "http://other.localhost/" [R=302,L]' }),
      () => ({
        moved: `RewriteRule "^${P}" "-" [END]\nRewriteRule "^/serv" "http://other.localhost/" [R=302,L]`,
      }),
    ],
    [
      'forwardTo',
      'live/forwarded',
      'such as /shop/service_cookie_transfer/',
      (place) => ({
        ...toShop(place),
        parts: { shop: toProxyPass(`/shop${P}`, place.service, `/shop${P}`) },
      }),
      (place) => ({ ...toShop(place), parts: { shop: toProxyPass(`/shop${P}`, place.service, P) } }),
      'service',
    ],
    [
      'keepCacheControl',
      'live/cached',
      'Caches may store what the service forbids them to store',
      () => ({ expires: 'Header set Cache-Control "public, max-age=60"' }),
      () => ({ expires: '' }),
    ],
    [
      'keepCookie',
      'live/set-cookie',
      'The Cookie line does not arrive',
      () => ({ cookie: 'RequestHeader unset Cookie' }),
      () => ({ cookie: '' }),
    ],
    [
      'keepFields',
      'live/forwarded',
      "does not pass on the request's fields",
      () => ({ drop: 'RequestHeader unset Accept' }),
      () => ({ drop: '' }),
      'service',
    ],
    [
      'keepLocation',
      'live/redirect',
      'rewrote the Location',
      ({ service }) => ({ reverse: `ProxyPassReverse ${P} http://${service}${P}` }),
      () => ({ reverse: '' }),
      'service',
    ],
    [
      'keepPath',
      'live/forwarded',
      'no point on the path that arrives',
      ({ next }) => ({ pass: toProxyPass(P, next, '/') }),
      ({ next }) => ({ pass: toProxyPass(P, next, P) }),
    ],
    [
      'keepSetCookie',
      'live/set-cookie',
      'lost: all',
      () => ({ drop: 'Header unset Set-Cookie' }),
      () => ({ drop: '' }),
    ],
    [
      'leaveCrossOrigin',
      'live/cors',
      'Pages of any website',
      () => ({ cors: 'Header set Access-Control-Allow-Origin *' }),
      () => ({ cors: '' }),
    ],
    [
      'liftLimits',
      'live/forwarded',
      '429',
      () => ({ limit: `RewriteRule "^${P}" "-" [R=429,L]` }),
      () => ({ limit: '' }),
    ],
    [
      'open',
      'live/forwarded',
      'forbids the request (403)',
      () => ({ closed: '<Location />\nRequire expr %{REQUEST_URI} == "/"\n</Location>' }),
      () => ({ open: `<Location ${P}>\nRequire all granted\n</Location>` }),
    ],
    [
      'route',
      'live/forwarded',
      'does not reach the service',
      () => ({ pass: '' }),
      ({ next }) => ({ pass: toProxyPass(P, next, P) }),
    ],
    [
      'sendHost',
      'live/forwarded',
      'which is the host of the site',
      () => ({ host: 'ProxyPreserveHost On' }),
      () => ({ host: 'ProxyPreserveHost Off' }),
      'service',
    ],
    [
      'sendScheme',
      'live/forwarded',
      'sees https as the scheme',
      () => ({ scheme: 'RequestHeader set X-Forwarded-Proto https' }),
      () => ({ scheme: 'RequestHeader set X-Forwarded-Proto http' }),
    ],
    [
      'setField',
      'live/widget-key',
      'X-Widget-Key does not arrive',
      () => ({ key: '' }),
      () => ({ key: 'RequestHeader set X-Widget-Key demo-widget-key' }),
      'service',
    ],
    [
      'tellScheme',
      'live/forwarded',
      "can't tell whether",
      (place) => ({ ...toBothSchemes(place), parts: { scheme: '' } }),
      () => ({ scheme: 'RequestHeader set X-Forwarded-Proto expr=%{REQUEST_SCHEME}' }),
    ],
  ],
  caddy: [
    [
      'allowLargeHeads',
      'live/header-size',
      'does not arrive',
      () => ({ global: 'servers {\n max_header_size 1KB\n }' }),
      () => ({ global: 'servers {\n max_header_size 65536\n }' }),
    ],
    [
      'allowMethods',
      'live/methods',
      '403',
      () => ({ before: '@put method PUT\n handle @put {\n respond 403\n }' }),
      () => ({ before: '' }),
    ],
    [
      'clearForwarding',
      'live/forwarded',
      'contradict each other',
      () => ({ forwarded: 'header_up Forwarded proto=https' }),
      () => ({ forwarded: 'header_up -Forwarded' }),
    ],
    [
      'forwardBelow',
      'live/methods',
      'what is below the point does not reach the service',
      () => ({ path: P }),
      () => ({ path: `${P}*` }),
    ],
    [
      'forwardTo',
      'live/forwarded',
      'such as /shop/service_cookie_transfer/',
      (place) => ({ ...toShop(place), parts: { before: toCaddyShop(place, '') } }),
      (place) => ({ ...toShop(place), parts: { before: toCaddyShop(place, 'uri strip_prefix /shop') } }),
      'service',
    ],
    [
      'keepCacheControl',
      'live/cached',
      'Caches may store what the service forbids them to store',
      () => ({ expires: 'header_down Cache-Control "public, max-age=60"' }),
      () => ({ expires: '' }),
    ],
    [
      'keepCookie',
      'live/set-cookie',
      'The Cookie line does not arrive',
      () => ({ cookie: 'header_up -Cookie' }),
      () => ({ cookie: '' }),
    ],
    [
      'keepErrors',
      'live/errors',
      "an error page in place of the service's answer: 404",
      () => ({ errors: '@gone status 404\n handle_response @gone {\n respond Gone 404\n }' }),
      () => ({ errors: '' }),
    ],
    [
      'keepFields',
      'live/forwarded',
      "does not pass on the request's fields",
      () => ({ drop: 'header_up -Accept' }),
      () => ({ drop: '' }),
      'service',
    ],
    [
      'keepHost',
      'live/forwarded',
      'sends a different Host',
      () => ({ host: 'header_up Host site.internal\n header_up -X-Forwarded-Host' }),
      () => ({ host: '' }),
    ],
    [
      'keepLastSlash',
      'live/redirect',
      'to the same URL again',
      () => ({ slash: 'rewrite /service_cookie_transfer' }),
      () => ({ slash: '' }),
    ],
    [
      'keepLocation',
      'live/redirect',
      'rewrote the Location',
      () => ({ location: 'header_down Location ^http://[^/]+(.*) $1' }),
      () => ({ location: '' }),
      'service',
    ],
    [
      'keepRawPath',
      'live/methods',
      'the path arrives cut',
      () => ({ path2: `rewrite ${P}?{query}` }),
      () => ({ path2: '' }),
    ],
    [
      'keepSetCookie',
      'live/set-cookie',
      'lost: all',
      () => ({ drop: 'header_down -Set-Cookie' }),
      () => ({ drop: '' }),
    ],
    [
      'liftLimits',
      'live/forwarded',
      '429',
      () => ({ before: `handle ${P}* {\n respond 429\n }` }),
      () => ({ before: '' }),
    ],
    [
      'open',
      'live/forwarded',
      'forbids the request (403)',
      () => ({ before: `handle ${P}* {\n respond 403\n }` }),
      () => ({ before: '' }),
    ],
    [
      'route',
      'live/forwarded',
      'does not reach the service',
      () => ({ path: '/other/*' }),
      ({ next }) => ({ before: `reverse_proxy ${P}* ${next}` }),
    ],
    [
      'sendHost',
      'live/forwarded',
      'which is the host of the site',
      () => ({ host: '' }),
      ({ service }) => ({ host: `header_up Host ${service}` }),
      'service',
    ],
    [
      'sendScheme',
      'live/forwarded',
      'sees https as the scheme',
      () => ({ scheme: 'header_up X-Forwarded-Proto https' }),
      () => ({ scheme: 'header_up X-Forwarded-Proto http' }),
    ],
    [
      'tellScheme',
      'live/forwarded',
      "can't tell whether",
      (place) => ({ ...toBothSchemes(place), parts: { scheme: 'header_up -X-Forwarded-Proto' } }),
      () => ({ scheme: '' }),
    ],
  ],
  haproxy: [
    [
      'allowLargeHeads',
      'live/header-size',
      'A Cookie line of 16 KiB does not arrive',
      () => ({ buffers: '' }),
      () => ({ buffers: 'tune.bufsize 65536' }),
    ],
    [
      'allowMethods',
      'live/methods',
      '403',
      () => ({ limit: 'http-request deny if { method PUT }' }),
      () => ({ limit: '' }),
    ],
    [
      'clearForwarding',
      'live/forwarded',
      'contradict each other',
      () => ({ forwarded: 'http-request set-header Forwarded proto=https' }),
      () => ({ forwarded: 'http-request del-header Forwarded' }),
    ],
    [
      'except',
      'live/redirect',
      'to another host',
      () => ({ moved: 'http-request redirect location http://other.localhost/' }),
      () => ({ moved: `http-request redirect location http://other.localhost/ unless { path_beg ${P} }` }),
    ],
    [
      'forwardTo',
      'live/forwarded',
      'such as /shop/service_cookie_transfer/',
      (place) => ({ ...toShop(place), parts: { route: TO_POINTS } }),
      (place) => ({ ...toShop(place), parts: { cut: 'http-request replace-path /shop(/.*) \\1' } }),
      'service',
    ],
    [
      'keepCacheControl',
      'live/cached',
      'Caches may store what the service forbids them to store',
      () => ({ expires: 'http-response set-header Cache-Control "public, max-age=60"' }),
      () => ({ expires: '' }),
    ],
    [
      'keepCookie',
      'live/set-cookie',
      'The Cookie line does not arrive',
      () => ({ cookie: 'http-request del-header Cookie' }),
      () => ({ cookie: '' }),
    ],
    [
      'keepFields',
      'live/forwarded',
      "does not pass on the request's fields",
      () => ({ drop: 'http-request del-header Accept' }),
      () => ({ drop: '' }),
      'service',
    ],
    [
      'keepLastSlash',
      'live/redirect',
      'to the same URL again',
      () => ({ slash: 'http-request set-path /service_cookie_transfer' }),
      () => ({ slash: '' }),
    ],
    [
      'keepLocation',
      'live/redirect',
      'rewrote the Location',
      () => ({ location: 'http-response replace-header Location http://[^/]+(.*) \\1' }),
      () => ({ location: '' }),
      'service',
    ],
    [
      'keepPath',
      'live/forwarded',
      'no point on the path that arrives',
      () => ({ path: 'http-request set-path /' }),
      () => ({ path: '' }),
    ],
    [
      'keepRawPath',
      'live/methods',
      'the path arrives decoded or re-encoded',
      () => ({ path: 'http-request set-path %[path,url_dec]' }),
      () => ({ path: '' }),
    ],
    [
      'leaveCrossOrigin',
      'live/cors',
      'Pages of any website',
      () => ({ cors: 'http-response set-header Access-Control-Allow-Origin *' }),
      () => ({ cors: '' }),
    ],
    [
      'liftLimits',
      'live/forwarded',
      '429',
      () => ({ limit: 'http-request deny deny_status 429' }),
      () => ({ limit: '' }),
    ],
    [
      'open',
      'live/forwarded',
      'forbids the request (403)',
      () => ({ closed: 'http-request deny' }),
      () => ({ closed: `http-request deny unless { path_beg ${P} }` }),
    ],
    [
      'route',
      'live/forwarded',
      'does not reach the service',
      () => ({ route: 'http-request return status 404' }),
      () => ({ route: `use_backend points if { path_beg ${P} }` }),
    ],
    [
      'sendHost',
      'live/forwarded',
      'which is the host of the site',
      () => ({ host: '' }),
      ({ service }) => ({ host: `http-request set-header Host ${service}` }),
      'service',
    ],
    [
      'sendScheme',
      'live/forwarded',
      'sees https as the scheme',
      () => ({ scheme: 'http-request set-header X-Forwarded-Proto https' }),
      () => ({ scheme: 'http-request set-header X-Forwarded-Proto http' }),
    ],
    [
      'tellScheme',
      'live/forwarded',
      "can't tell whether",
      (place) => ({ ...toBothSchemes(place), parts: { scheme: '' } }),
      () => ({ scheme: 'http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]' }),
    ],
  ],
}

export const remedyTable: readonly SetUp[] = Object.entries(tables).flatMap(([server, rows]) =>
  rows.map(([remedy, rule, cause, broken, fixed, through]): SetUp => {
    const named = (toGiven: typeof broken) => (place: Place) => {
      const change = toGiven(place)
      const { parts, config, ...rest } = isChange(change) ? change : { parts: change, config: {} }
      return { ...rest, parts: parts ?? {}, config: { ...config, frontEnd: server } }
    }
    return {
      name: `${server}: ${remedy}`,
      server: server as SetUp['server'],
      remedy,
      rule,
      cause,
      through: through ?? 'serve',
      scheme: 'http',
      says: `• `,
      broken: named(broken),
      fixed: named(fixed),
    }
  }),
)

function isChange(change: Change | Parts): change is Change {
  return 'parts' in change
}

function toServe(next: string): string {
  return `proxy_pass http://${next}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme;`
}

function toProxyPass(from: string, next: string, to: string): string {
  return `ProxyPass ${from} http://${next}${to} nocanon`
}

function toCaddyShop({ service, origin }: Place, cut: string): string {
  return `handle /shop${P}* {\n ${cut}\n reverse_proxy http://${service} {\n header_up Host ${service}
    header_up X-Widget-Key demo-widget-key\n header_up X-Continuation-Origin ${origin}\n }\n }`
}

/** A second point, on a cookie path. */
function toShop({ origin, point }: Place): Change {
  const points = [point, point.replace(origin, `${origin}/shop`)]
  return { account: { cookie_transfer_urls: points }, config: { points } }
}

/** A point that serve has on both schemes. */
function toBothSchemes({ point }: Place): Change {
  return { served: [point.replace('http:', 'https:')] }
}

const TO_POINTS = `use_backend points if { path_beg ${P} /shop${P} }`
