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
  caddy: 'tls FULLCHAIN.pem KEY.pem, or none: it gets one itself',
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
  apache: 'no RewriteRule that asks again',
  caddy: 'no handle_response for 30x',
  haproxy: 'it never follows: look behind it',
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
export function toException(path: string): Remedy {
  return {
    nginx: `location ^~ ${path} with no return, rewrite or auth_request`,
    apache: `RewriteRule "^${path}" "-" [END] before the rule`,
    caddy: `handle ${path}* before the redir`,
    haproxy: `add: unless { path_beg ${path} }`,
    mounted: 'mount the points before the middleware that redirects',
  }
}

/** A field that the front end sets. */
export function toFieldRemedy(name: string, value: string): Remedy {
  return {
    nginx: `proxy_set_header ${name} ${value}; in the location itself`,
    apache: `RequestHeader set ${name} ${value}`,
    caddy: `header_up ${name} ${value}`,
    haproxy: `http-request set-header ${name} ${value}`,
    mounted: 'it sets the field; see "points" and "widgetKey"',
  }
}

export const RAW_PATH: Remedy = {
  nginx: 'no path behind the host in proxy_pass, and no rewrite',
  apache: 'nocanon on ProxyPass, and AllowEncodedSlashes NoDecode',
  caddy: 'handle, not handle_path; no uri and no rewrite',
  haproxy: 'no http-request set-path, normalize-uri or replace-path',
  mounted: 'mount at /, before what rewrites req.url',
}

/** The point and everything below it, with encoded slashes. */
export function toDeepPaths(path: string): Remedy {
  return {
    nginx: `location ^~ ${path}, not location =`,
    apache: 'AllowEncodedSlashes NoDecode, and nocanon on ProxyPass',
    caddy: `handle ${path}*, with the star`,
    haproxy: `path_beg ${path}, not path`,
    mounted: 'app.use, not a route for one path',
  }
}

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
