import type { Advisor } from '../advisor.ts'

export const advisor: Advisor = {
  name: 'nginx',
  title: 'nginx',
  field: /nginx|openresty/i,
  errorPage: /<center>(?:nginx|openresty)/i,
  limitsBy503: true,
  listen: 'listen 443 ssl; listen [::]:443 ssl;',
  showCertificate: 'ssl_certificate FULLCHAIN.pem; ssl_certificate_key KEY.pem;',
  keepLocation: 'proxy_redirect off;',
  returnRedirects: 'no error_page or proxy_intercept_errors for 30x',
  keepLastSlash: 'no path behind host and port in proxy_pass',
  except: (path) =>
    `location ^~ ${path} with no return, rewrite or auth_request; if it is there already, ${EARLIER}`,
  setField: (name, value) => `proxy_set_header ${name} ${value}; in the location itself`,
  keepRawPath:
    'no path behind the host in proxy_pass, and no rewrite, if or set that changes it; a map of $request_uri may',
  forwardBelow: (path) => `location ^~ ${path}, not location =`,
  allowMethods: 'no limit_except, no proxy_method, no "if ($request_method …)"; client_max_body_size 0;',
  keepSetCookie: 'no proxy_cookie_path, proxy_cookie_domain or proxy_cookie_flags, no proxy_hide_header',
  keepCookie: 'no proxy_set_header Cookie',
  bypassCache: 'proxy_cache off;',
  keepCacheControl: 'expires off; no add_header or proxy_hide_header Cache-Control',
  allowLargeHeads: 'large_client_header_buffers 4 64k;',
  keepErrors: 'proxy_intercept_errors off;',
  allowLargeBodies: 'client_max_body_size 0;',
  leaveCrossOrigin: 'no add_header Access-Control-*, no "if ($request_method = OPTIONS)"',
  chooseHost: 'before serve proxy_set_header Host $http_host; to the service its own Host',
  sendHost: (host) => `proxy_set_header Host ${host};`,
  forwardTo: (_path, cut) =>
    cut === ''
      ? 'proxy_pass with no path behind host and port'
      : `map $request_uri $rest { ~^${cut}(?<cut>/.*) $cut; default $request_uri; } in http, and proxy_pass http://SERVICE$rest;`,
  route: (path, serve) =>
    `location ^~ ${path} { proxy_pass http://${serve}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme; }; if it is there already, ${EARLIER}`,
  keepFields: 'no proxy_pass_request_headers off, no proxy_set_header Accept or Cookie',
  open: (path) => `location ^~ ${path} { auth_basic off; allow all; … }`,
  liftLimits: 'no return 503 or 429, no limit_req or limit_conn',
  findNextHop: 'see proxy_pass, and error_log at level error for the reason',
  keepHost: 'proxy_set_header Host $http_host;',
  tellScheme: 'proxy_set_header X-Forwarded-Proto $scheme;',
  sendScheme: (scheme) => `proxy_set_header X-Forwarded-Proto ${scheme};`,
  clearForwarding: (scheme) =>
    `proxy_set_header X-Forwarded-Proto ${scheme}; proxy_set_header X-Forwarded-Host ""; proxy_set_header Forwarded "";`,
  keepPath: 'proxy_pass with no path behind host and port, and no rewrite',
}

const EARLIER = 'move a return or if of the server block into location /'
