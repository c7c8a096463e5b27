/** What other advisors say as well, each in the terms of its front end. */
export const advisor = {
  name: 'nginx' as const,
  title: 'nginx',
  field: /nginx|openresty/i,
  errorPage: /<center>(?:nginx|openresty)/i,
  limitsBy503: true as const,
  listen: 'listen 443 ssl; listen [::]:443 ssl; (the port of the point; no ssl on http)',
  showCertificate: 'ssl_certificate FULLCHAIN.pem; ssl_certificate_key KEY.pem;',
  keepLocation: 'proxy_redirect off;',
  /** Redirects of the service are returned, not followed. */
  returnRedirects: 'no error_page or proxy_intercept_errors for 30x',
  keepLastSlash: 'no path behind host and port in proxy_pass',
  /** The point is put before the rules of the site. */
  except: (path: string) =>
    `location ^~ ${path} with no return, rewrite or auth_request; if it is there already, ${EARLIER}`,
  setField: (name: string, value: string) => `in the location itself: proxy_set_header ${name} ${value};`,
  /** Path and query stay as received, byte for byte. */
  keepRawPath:
    'no path behind the host in proxy_pass, and no rewrite, if or set that changes it; a map may, as render --mode forward prints it',
  /** The point and everything below it, with encoded slashes. */
  forwardBelow: (path: string) => `location ^~ ${path}, neither = nor ~, so that all below comes here first`,
  allowMethods: 'no limit_except, no proxy_method, no "if ($request_method …)"; client_max_body_size 0;',
  keepSetCookie: 'no proxy_cookie_path, proxy_cookie_domain or proxy_cookie_flags, no proxy_hide_header',
  keepCookie: 'no proxy_set_header Cookie',
  bypassCache: 'proxy_cache off;',
  keepCacheControl: 'expires off; no add_header or proxy_hide_header Cache-Control',
  keepCoding: 'no add_header Content-Encoding, no proxy_hide_header Content-Encoding, no gunzip',
  allowLargeHeads: 'in the server block: large_client_header_buffers 4 64k;',
  /** Only what is below the point is forwarded. */
  onlyBelow: (path: string) =>
    `proxy_pass in location ^~ ${path} alone, not in location / or the server block`,
  allowLargeAnswers: 'in the location of the point: proxy_buffer_size 64k; proxy_buffers 4 64k;',
  /** Errors of the service are not replaced. */
  keepErrors: 'proxy_intercept_errors off;',
  allowLargeBodies: 'client_max_body_size 0;',
  /** What pages of other origins may do is left to the service. */
  leaveCrossOrigin: 'no add_header Access-Control-*, no "if ($request_method = OPTIONS)"',
  /** The visitor's Host before `serve`, the service's own before the service. */
  chooseHost: 'before serve proxy_set_header Host $http_host; to the service its own Host',
  sendHost: (host: string) => `proxy_set_header Host ${host};`,
  /** `cut`: the cookie path, which the service does not get; empty if there is none. */
  forwardTo: (_path: string, cut: string) =>
    cut === ''
      ? 'proxy_pass with no path behind host and port, and no if, set or rewrite that cuts it'
      : `in the http block: map $request_uri $rest { ~^${cut}(?<cut>/.*) $cut; default $request_uri; }, in the location: resolver DNS_SERVER; proxy_pass http://SERVICE$rest; and no rewrite, if or set`,
  /** A whole rule for the point. `serve`: its host and port. */
  route: (path: string, serve: string) =>
    `with serve: location ^~ ${path} { proxy_pass http://${serve}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Forwarded-Host ""; proxy_set_header Forwarded ""; proxy_buffer_size 64k; proxy_buffers 4 64k; } (if it is there already, ${EARLIER})`,
  keepFields: 'no proxy_pass_request_headers off, no proxy_set_header Accept, Cookie or Origin',
  /** No login and no ban at the point. */
  open: (path: string) => `location ^~ ${path} { auth_basic off; allow all; … }`,
  liftLimits: 'no return 503 or 429, no limit_req or limit_conn',
  /** Where to look if what it forwards to does not answer. */
  findNextHop: 'see proxy_pass, error_log; https: proxy_ssl_server_name on;',
  /** The visitor's Host reaches `serve`. */
  keepHost: 'proxy_set_header Host $http_host;',
  /** `serve` learns the scheme of the request. */
  tellScheme: 'proxy_set_header X-Forwarded-Proto $scheme;',
  /** The same, where TLS ends before the front end. */
  sendScheme: (scheme: string) => `proxy_set_header X-Forwarded-Proto ${scheme};`,
  /** That, and no other field about the hop before. */
  clearForwarding: (scheme: string) =>
    `proxy_set_header X-Forwarded-Proto ${scheme}; proxy_set_header X-Forwarded-Host ""; proxy_set_header Forwarded "";`,
  /** The path reaches `serve` unchanged. */
  keepPath: 'proxy_pass with no path behind host and port, and no rewrite, if or set that cuts it',
}

const EARLIER = 'move any return or if of the server block into location /'
