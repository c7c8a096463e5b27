import type { Place } from './front-end-text.ts'
import type { RemedyName } from './remedies.ts'
import { type Change, type Changing, type SetUp, setUp, toShop } from './set-up.ts'

const P = '/service_cookie_transfer/'

/** A mistake for each remedy that no other set-up is for. The config names the front end. */
interface Row {
  readonly through?: 'service'
  /** If the message differs from that of the other servers. */
  readonly cause?: string
  readonly also?: readonly string[]
  readonly broken: Changing
  readonly fixed?: Changing
}

const tables: Readonly<Partial<Record<SetUp['server'], Readonly<Partial<Record<RemedyName, Row>>>>>> = {
  nginx: {
    clearForwarding: {
      broken: { forwarded: 'proxy_set_header Forwarded proto=https;' },
      fixed: { forwarded: 'proxy_set_header Forwarded "";' },
    },
    forwardBelow: {
      broken: ({ next }) => ({ parts: { around: `location = ${P} { ${toServe(next)} }` } }),
      fixed: ({ next }) => ({ parts: { around: `location ^~ ${P} { ${toServe(next)} }` } }),
    },
    keepCacheControl: { broken: { expires: 'expires 1h;' }, fixed: { expires: 'expires off;' } },
    returnRedirects: {
      through: 'service',
      broken: ({ service, origin }) => ({
        parts: {
          follow: 'proxy_intercept_errors on; error_page 302 = @follow;',
          site: `location @follow { set $to $upstream_http_location; proxy_pass $to; proxy_set_header Host ${service};
          proxy_set_header X-Widget-Key demo-widget-key; proxy_set_header X-Continuation-Origin ${origin}; }`,
        },
      }),
    },
  },
  apache: {
    allowMethods: {
      broken: { limit: `<Location ${P}>\n<Limit PUT>\nRequire all denied\n</Limit>\n</Location>` },
    },
    clearForwarding: {
      broken: { forwarded: 'RequestHeader set Forwarded proto=https' },
      fixed: { forwarded: 'RequestHeader unset Forwarded' },
    },
    except: {
      broken: { moved: 'RewriteRule "^/serv" "http://other.localhost/" [R=302,L]' },
      fixed: {
        moved: `RewriteRule "^${P}" "-" [END]\nRewriteRule "^/serv" "http://other.localhost/" [R=302,L]`,
      },
    },
    forwardTo: {
      through: 'service',
      broken: (place) => ({
        ...toShop(place),
        parts: { shop: toProxyPass(`/shop${P}`, place.service, `/shop${P}`) },
      }),
      fixed: (place) => ({ ...toShop(place), parts: { shop: toProxyPass(`/shop${P}`, place.service, P) } }),
    },
    keepCacheControl: { broken: { expires: 'Header set Cache-Control "public, max-age=60"' } },
    keepCoding: { broken: { coding: 'Header set Content-Encoding gzip' } },
    keepCookie: { broken: { cookie: 'RequestHeader unset Cookie' } },
    keepFields: { through: 'service', broken: { drop: 'RequestHeader unset Accept' } },
    keepLocation: {
      through: 'service',
      broken: ({ service }) => ({ parts: { reverse: `ProxyPassReverse ${P} http://${service}${P}` } }),
    },
    keepPath: { broken: ({ next }) => ({ parts: { pass: toProxyPass(P, next, '/') } }) },
    keepSetCookie: { broken: { drop: 'Header unset Set-Cookie' } },
    leaveCrossOrigin: { broken: { cors: 'Header set Access-Control-Allow-Origin *' } },
    liftLimits: { broken: { limit: `RewriteRule "^${P}" "-" [R=429,L]` } },
    onlyBelow: {
      through: 'service',
      broken: ({ service }) => ({ parts: { whole: toProxyPass('/', service, '/') } }),
    },
    open: {
      broken: { closed: '<Location />\nRequire expr %{REQUEST_URI} == "/"\n</Location>' },
      fixed: { open: `<Location ${P}>\nRequire all granted\n</Location>` },
    },
    route: { broken: { pass: '' } },
    sendHost: { through: 'service', broken: { host: 'ProxyPreserveHost On' } },
    sendScheme: { broken: { scheme: 'RequestHeader set X-Forwarded-Proto https' } },
    setField: { through: 'service', broken: { key: '' } },
    tellScheme: {
      broken: (place) => ({ ...toBothSchemes(place), parts: { scheme: '' } }),
      fixed: { scheme: 'RequestHeader set X-Forwarded-Proto expr=%{REQUEST_SCHEME}' },
    },
  },
  caddy: {
    allowLargeHeads: {
      broken: { global: 'servers {\n max_header_size 1KB\n }' },
      fixed: { global: 'servers {\n max_header_size 65536\n }' },
    },
    allowMethods: { broken: { before: '@put method PUT\n handle @put {\n respond 403\n }' } },
    clearForwarding: {
      broken: { forwarded: 'header_up Forwarded proto=https' },
      fixed: { forwarded: 'header_up -Forwarded' },
    },
    forwardBelow: { broken: { path: P }, fixed: { path: `${P}*` } },
    forwardTo: {
      through: 'service',
      broken: (place) => ({ ...toShop(place), parts: { before: toCaddyShop(place, '') } }),
      fixed: (place) => ({
        ...toShop(place),
        parts: { before: toCaddyShop(place, 'uri strip_prefix /shop') },
      }),
    },
    keepCacheControl: { broken: { expires: 'header_down Cache-Control "public, max-age=60"' } },
    keepCoding: { broken: { coding: 'header_down Content-Encoding gzip' } },
    keepCookie: { broken: { cookie: 'header_up -Cookie' } },
    keepErrors: { broken: { errors: '@gone status 404\n handle_response @gone {\n respond Gone 404\n }' } },
    keepFields: { through: 'service', broken: { drop: 'header_up -Accept' } },
    keepHost: { broken: { host: 'header_up Host site.internal\n header_up -X-Forwarded-Host' } },
    keepLastSlash: { broken: { slash: 'rewrite /service_cookie_transfer' } },
    keepLocation: { through: 'service', broken: { location: 'header_down Location ^http://[^/]+(.*) $1' } },
    keepRawPath: { broken: { path2: `rewrite ${P}?{query}` } },
    keepSetCookie: { broken: { drop: 'header_down -Set-Cookie' } },
    liftLimits: { broken: { before: `handle ${P}* {\n respond 429\n }` } },
    onlyBelow: {
      through: 'service',
      also: ['page/unreachable'],
      broken: { path: '*' },
      fixed: { path: `${P}*` },
    },
    open: { broken: { before: `handle ${P}* {\n respond 403\n }` } },
    route: {
      broken: { path: '/other/*' },
      fixed: ({ next }) => ({ parts: { before: `reverse_proxy ${P}* ${next}` } }),
    },
    sendHost: { through: 'service', broken: { host: '' } },
    sendScheme: {
      broken: { scheme: 'header_up X-Forwarded-Proto https' },
      fixed: { scheme: 'header_up X-Forwarded-Proto http' },
    },
    tellScheme: {
      broken: (place) => ({ ...toBothSchemes(place), parts: { scheme: 'header_up -X-Forwarded-Proto' } }),
    },
  },
  haproxy: {
    allowLargeAnswers: {
      also: ['live/header-size'],
      broken: { buffers: '' },
      fixed: { buffers: 'tune.bufsize 65536' },
    },
    allowMethods: { broken: { limit: 'http-request deny if { method PUT }' } },
    clearForwarding: {
      broken: { forwarded: 'http-request set-header Forwarded proto=https' },
      fixed: { forwarded: 'http-request del-header Forwarded' },
    },
    except: {
      broken: { moved: 'http-request redirect location http://other.localhost/' },
      fixed: { moved: `http-request redirect location http://other.localhost/ unless { path_beg ${P} }` },
    },
    forwardTo: {
      through: 'service',
      broken: (place) => ({ ...toShop(place), parts: { route: TO_POINTS } }),
      fixed: (place) => ({ ...toShop(place), parts: { cut: 'http-request replace-path /shop(/.*) \\1' } }),
    },
    keepCacheControl: { broken: { expires: 'http-response set-header Cache-Control "public, max-age=60"' } },
    keepCoding: { broken: { coding: 'http-response set-header Content-Encoding gzip' } },
    keepCookie: { broken: { cookie: 'http-request del-header Cookie' } },
    keepFields: { through: 'service', broken: { drop: 'http-request del-header Accept' } },
    keepLastSlash: { broken: { slash: 'http-request set-path /service_cookie_transfer' } },
    keepLocation: {
      through: 'service',
      broken: { location: 'http-response replace-header Location http://[^/]+(.*) \\1' },
    },
    keepPath: { broken: { path: 'http-request set-path /' } },
    keepRawPath: {
      cause: 'the path arrives decoded or re-encoded',
      broken: { path: 'http-request set-path %[path,url_dec]' },
    },
    leaveCrossOrigin: { broken: { cors: 'http-response set-header Access-Control-Allow-Origin *' } },
    liftLimits: { broken: { limit: 'http-request deny deny_status 429' } },
    open: {
      broken: { closed: 'http-request deny' },
      fixed: { closed: `http-request deny unless { path_beg ${P} }` },
    },
    route: {
      broken: { route: 'http-request return status 404' },
      fixed: { route: `use_backend points if { path_beg ${P} }` },
    },
    sendHost: { through: 'service', broken: { host: '' } },
    sendScheme: { broken: { scheme: 'http-request set-header X-Forwarded-Proto https' } },
    tellScheme: {
      broken: (place) => ({ ...toBothSchemes(place), parts: { scheme: '' } }),
      fixed: { scheme: 'http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]' },
    },
  },
}

/** The rule that has to name the mistake of a remedy, and a part of its message. */
const CAUSES: Readonly<Partial<Record<RemedyName, readonly [rule: string, cause: string]>>> = {
  allowLargeAnswers: ['live/response-size', 'of Set-Cookie lines does not come back'],
  allowLargeHeads: ['live/header-size', 'does not arrive'],
  allowMethods: ['live/methods', '403'],
  clearForwarding: ['live/forwarded', 'Forwarded disagree'],
  except: ['live/redirect', 'to another host'],
  forwardBelow: ['live/methods', 'what is below the point does not reach the service'],
  forwardTo: ['live/forwarded', 'such as /shop/service_cookie_transfer/'],
  keepCacheControl: ['live/cached', 'Caches may store what the service forbids them to store'],
  keepCoding: ['live/forwarded', "The body of the answer can't be decoded"],
  keepCookie: ['live/set-cookie', 'The Cookie line does not arrive'],
  keepErrors: ['live/errors', "an error page in place of the service's answer: 404"],
  keepFields: ['live/forwarded', "does not pass on the request's headers"],
  keepHost: ['live/forwarded', 'sends a different Host'],
  keepLastSlash: ['live/redirect', 'to the same URL again'],
  keepLocation: ['live/redirect', 'rewrote the Location'],
  keepPath: ['live/forwarded', 'no continuation point in the config has this path'],
  keepRawPath: ['live/methods', 'the path arrives cut'],
  keepSetCookie: ['live/set-cookie', 'lost: all'],
  leaveCrossOrigin: ['live/cors', 'Pages of any website'],
  liftLimits: ['live/forwarded', '429'],
  onlyBelow: ['live/outside', 'is forwarded to the service'],
  open: ['live/forwarded', 'forbids the request (403)'],
  returnRedirects: ['live/redirect', 'followed a redirect of the service'],
  route: ['live/forwarded', 'does not reach the service'],
  sendHost: ['live/forwarded', 'a Host that is not its own'],
  sendScheme: ['live/forwarded', 'are for the other scheme'],
  setField: ['live/widget-key', 'X-Widget-Key does not arrive'],
  tellScheme: ['live/forwarded', 'nothing says which one is meant'],
}

export const remedyTable: readonly SetUp[] = Object.entries(tables).flatMap(([server, rows]) =>
  Object.entries(rows).map(([remedy, row]): SetUp => {
    const [rule = '', cause = ''] = CAUSES[remedy as RemedyName] ?? []
    const given = { remedy: remedy as RemedyName, rule, cause, says: '• ', isNamed: true, ...row } as const
    return setUp(`${server}: ${remedy}`, server as SetUp['server'], given)
  }),
)

function toServe(next: string): string {
  return `proxy_pass http://${next}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Forwarded-Host ""; proxy_set_header Forwarded ""; proxy_buffer_size 64k; proxy_buffers 4 64k;`
}

function toProxyPass(from: string, next: string, to: string): string {
  return `ProxyPass ${from} http://${next}${to} nocanon`
}

function toCaddyShop({ service, origin }: Place, cut: string): string {
  return `handle /shop${P}* {\n ${cut}\n reverse_proxy http://${service} {\n header_up Host ${service}
    header_up X-Widget-Key demo-widget-key\n header_up X-Continuation-Origin ${origin}\n }\n }`
}

/** A point that serve has on both schemes. */
function toBothSchemes({ point }: Place): Change {
  return { served: [point.replace('http:', 'https:')] }
}

const TO_POINTS = `use_backend points if { path_beg ${P} /shop${P} }`
