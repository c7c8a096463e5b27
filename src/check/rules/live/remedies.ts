import type { Remedy } from '../../remedy.ts'

/** What to write in each front end, by what is wrong; a rule's `explain` shows the same lines as its findings. */
export const LISTEN: Remedy = {
  nginx: 'listen 443 ssl; listen [::]:443 ssl;',
  apache: 'Listen 443',
  caddy: 'no bind, or one with every address of the host',
  haproxy: 'bind :443,[::]:443 ssl crt FILE',
  mounted: 'listen on the addresses of the host, not on 127.0.0.1',
}

export const CERTIFICATE: Remedy = {
  nginx: 'ssl_certificate FULLCHAIN.pem; ssl_certificate_key KEY.pem;',
  apache: 'SSLCertificateFile FULLCHAIN.pem, SSLCertificateKeyFile KEY.pem',
  caddy: 'tls FULLCHAIN.pem KEY.pem, or none for automatic HTTPS',
  haproxy: 'bind … ssl crt FULLCHAIN_AND_KEY.pem',
  mounted: '"listen": { "tls": { "cert": "file:FULLCHAIN.pem", "key": "file:KEY.pem" } }',
}

export const LOCATION: Remedy = {
  nginx: 'proxy_redirect off;',
  apache: 'no ProxyPassReverse',
  caddy: 'no header_down Location',
  haproxy: 'no http-response replace-header Location',
  mounted: 'no middleware that rewrites Location',
}

export const FOLLOWING: Remedy = {
  nginx: 'no error_page or proxy_intercept_errors for 30x',
  apache: 'no RewriteRule that requests the target of the redirect',
  caddy: 'no handle_response for 30x',
  haproxy: 'HAProxy never follows redirects: look at the server behind it',
  mounted: 'fetch with redirect: "manual"',
}

export const WITH_SLASH: Remedy = {
  nginx: 'no path behind host and port in proxy_pass',
  apache: 'the slash at the end of both paths in ProxyPass',
  caddy: 'no rewrite and no uri',
  haproxy: 'no http-request set-path or replace-path',
  mounted: 'no middleware that takes slashes off',
}

/** The point put before the rules of the site. */
export const toException = (path: string): Remedy => ({
  nginx: `location ^~ ${path} with no return, rewrite or auth_request`,
  apache: `RewriteRule "^${path}" "-" [END] before the rule`,
  caddy: `handle ${path}* before the redir`,
  haproxy: `add: unless { path_beg ${path} }`,
  mounted: 'mount the points before the middleware that redirects',
})

/** A field that the front end sets. */
export const toFieldRemedy = (name: string, value: string): Remedy => ({
  nginx: `proxy_set_header ${name} ${value}; in the location itself`,
  apache: `RequestHeader set ${name} ${value}`,
  caddy: `header_up ${name} ${value}`,
  haproxy: `http-request set-header ${name} ${value}`,
  mounted: 'it sets the field; see "points" and "widgetKey"',
})

export const RAW_PATH: Remedy = {
  nginx: 'no path behind the host in proxy_pass, and no rewrite',
  apache: 'nocanon on ProxyPass, and AllowEncodedSlashes NoDecode',
  caddy: 'handle, not handle_path; no uri and no rewrite',
  haproxy: 'no http-request set-path, normalize-uri or replace-path',
  mounted: 'mount at /, before what rewrites req.url',
}

/** The point and everything below it, with encoded slashes. */
export const toDeepPaths = (path: string): Remedy => ({
  nginx: `location ^~ ${path}, not location =`,
  apache: 'AllowEncodedSlashes NoDecode, and nocanon on ProxyPass',
  caddy: `handle ${path}*, with the star`,
  haproxy: `path_beg ${path}, not path`,
  mounted: 'app.use, not a route for one path',
})

export const EVERY_METHOD: Remedy = {
  nginx: 'no limit_except, no "if ($request_method …)"; client_max_body_size 0;',
  apache: 'no <Limit>, no AllowMethods, no RewriteCond on REQUEST_METHOD',
  caddy: 'no method matcher',
  haproxy: 'no http-request deny on method',
  mounted: 'app.use or app.all, not app.get; before body parsers',
}

export const SET_COOKIE: Remedy = {
  nginx: 'no proxy_cookie_path, proxy_cookie_domain or proxy_cookie_flags, no proxy_hide_header',
  apache: 'no ProxyPassReverseCookie…, no Header on Set-Cookie',
  caddy: 'no header_down on Set-Cookie',
  haproxy: 'no http-response rule on Set-Cookie',
  mounted: 'no middleware that rewrites cookies',
}

export const COOKIE: Remedy = {
  nginx: 'no proxy_set_header Cookie',
  apache: 'no RequestHeader on Cookie',
  caddy: 'no header_up on Cookie',
  haproxy: 'no http-request del-header or replace-header Cookie',
  mounted: 'no middleware that changes the Cookie field; see "forward.cookies"',
}

export const UNCACHED: Remedy = {
  nginx: 'proxy_cache off;',
  apache: 'CacheDisable on',
  caddy: 'no cache directive there',
  haproxy: 'no http-request cache-use',
  mounted: 'mount the points before a caching middleware',
}

export const LARGE_HEAD: Remedy = {
  nginx: 'large_client_header_buffers 4 64k;',
  apache: 'LimitRequestFieldSize 65536',
  caddy: 'servers { max_header_size 65536 }',
  haproxy: 'tune.bufsize 65536',
  mounted: 'node --max-http-header-size=65536; for serve "limits.headerBytes"',
}

export const CROSS_ORIGIN: Remedy = {
  nginx: 'no add_header Access-Control-*, no "if ($request_method = OPTIONS)"',
  apache: 'no Header set Access-Control-*, no rule for OPTIONS',
  caddy: 'no header or header_down Access-Control-*, no respond for OPTIONS',
  haproxy: 'no http-response set-header Access-Control-*, no return for OPTIONS',
  mounted: 'mount the points before cors()',
}

export const WHICH_HOST: Remedy = {
  nginx: 'before serve proxy_set_header Host $http_host; to the service its own Host',
  apache: 'before serve ProxyPreserveHost On; to the service ProxyPreserveHost Off',
  caddy: 'before serve no header_up Host; to the service header_up Host SERVICE_HOST',
  haproxy: 'before serve no set-header Host; to the service http-request set-header Host SERVICE_HOST',
  mounted: 'mount it before the routes of the site; it sends the Host of "service.url"',
}

export const toServiceHost = (host: string): Remedy => ({
  nginx: `proxy_set_header Host ${host};`,
  apache: 'ProxyPreserveHost Off',
  caddy: `header_up Host ${host}`,
  haproxy: `http-request set-header Host ${host}`,
  mounted: 'it sends that Host; see "service.url"',
})

export const toPath = (path: string): Remedy => ({
  nginx: 'proxy_pass with no path behind host and port',
  apache: `ProxyPass … ${path} nocanon`,
  caddy: 'handle in place of handle_path',
  haproxy: 'no http-request set-path',
  mounted: 'see "service.keepCookiePath"',
})

export const toRoute = (path: string): Remedy => ({
  nginx: `location ^~ ${path} { proxy_pass …; }`,
  apache: `ProxyPass ${path} … before other ProxyPass lines`,
  caddy: `handle ${path}* { reverse_proxy … }`,
  haproxy: `use_backend … if { path_beg ${path} }`,
  mounted: 'mount it before the routes of the site',
})

export const ALL_FIELDS: Remedy = {
  nginx: 'no proxy_pass_request_headers off, no proxy_set_header Accept or Cookie',
  apache: 'no RequestHeader unset',
  caddy: 'no header_up with a minus',
  haproxy: 'no http-request del-header',
  mounted: 'no middleware that drops fields of the request',
}

export const toOpen = (path: string): Remedy => ({
  nginx: `location ^~ ${path} { auth_basic off; allow all; … }`,
  apache: `<Location ${path}> Require all granted </Location>`,
  caddy: `handle ${path}* before basicauth and respond`,
  haproxy: `add: unless { path_beg ${path} }`,
  mounted: 'mount the points before the login',
})

export const NO_LIMIT: Remedy = {
  nginx: 'no return 503 or 429, no limit_req or limit_conn',
  apache: 'no RewriteRule with R=503 or R=429',
  caddy: 'no respond 503, no rate_limit',
  haproxy: 'no http-request return or deny with 503 or 429',
  mounted: 'mount the points before the rate limiter',
}

export const NEXT_HOP: Remedy = {
  nginx: 'see proxy_pass, and error_log at level error for the reason',
  apache: 'see ProxyPass, and ErrorLog for the reason',
  caddy: 'see reverse_proxy, and its log for the reason',
  haproxy: 'see the server line of the backend, and its log',
  mounted: 'see the proxy before the app',
}

export const KEEP_HOST: Remedy = {
  nginx: 'proxy_set_header Host $http_host;',
  apache: 'ProxyPreserveHost On',
  caddy: 'no header_up Host',
  haproxy: 'no http-request set-header Host',
  mounted: 'nothing before it may change Host',
}

export const TELL_SCHEME: Remedy = {
  nginx: 'proxy_set_header X-Forwarded-Proto $scheme;',
  apache: 'RequestHeader set X-Forwarded-Proto expr=%{REQUEST_SCHEME}',
  caddy: 'Caddy sends it by default; no header_up -X-Forwarded-Proto',
  haproxy: 'http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]',
  mounted: 'as in the proxy before the app',
}

export const toScheme = (scheme: string): Remedy => ({
  nginx: `proxy_set_header X-Forwarded-Proto ${scheme};`,
  apache: `RequestHeader set X-Forwarded-Proto ${scheme}`,
  caddy: `header_up X-Forwarded-Proto ${scheme}`,
  haproxy: `http-request set-header X-Forwarded-Proto ${scheme}`,
  mounted: 'as in the proxy before the app',
})

export function clearForwarding(scheme: string): Remedy {
  const { nginx, apache, caddy, haproxy, mounted } = toScheme(scheme)
  return {
    nginx: `${nginx} proxy_set_header X-Forwarded-Host ""; proxy_set_header Forwarded "";`,
    apache: `${apache}, RequestHeader unset X-Forwarded-Host, RequestHeader unset Forwarded`,
    caddy: `${caddy}, header_up -X-Forwarded-Host, header_up -Forwarded`,
    haproxy: `${haproxy}, http-request del-header X-Forwarded-Host, http-request del-header Forwarded`,
    mounted,
  }
}

export const KEEP_PATH: Remedy = {
  nginx: 'proxy_pass with no path behind host and port, and no rewrite',
  apache: 'ProxyPass with one path on both sides, and nocanon',
  caddy: 'handle in place of handle_path, and no uri or rewrite',
  haproxy: 'no http-request set-path or replace-path',
  mounted: 'mount at /, not below a path',
}
