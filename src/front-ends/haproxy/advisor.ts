import type { Advisor } from '../advisor.ts'

export const advisor: Advisor = {
  name: 'haproxy',
  title: 'HAProxy',
  // It adds no field of its own, but all its error pages have this form.
  field: /\bhaproxy\b/i,
  errorPage: /^<html><body><h1>\d{3} [\w -]+<\/h1>\n/,
  listen: 'bind :443,[::]:443 ssl crt FILE (the port of the point; no ssl on http)',
  showCertificate: 'bind … ssl crt FULLCHAIN_AND_KEY.pem',
  keepLocation: 'no http-response replace-header Location',
  returnRedirects: 'HAProxy never follows redirects: look at the server behind it',
  keepLastSlash: 'no http-request set-path or replace-path',
  except: (path) => `add: unless { path_beg ${path} }`,
  setField: (name, value) => `http-request set-header ${name} ${value}`,
  keepRawPath: 'no http-request set-path, normalize-uri or replace-path',
  forwardBelow: (path) => `path_beg ${path}, not path`,
  allowMethods: 'no http-request deny on method',
  keepSetCookie: 'no http-response rule on Set-Cookie',
  keepCookie: 'no http-request del-header or replace-header Cookie',
  bypassCache: 'no http-request cache-use',
  keepCacheControl: 'no http-response set-header or del-header Cache-Control',
  keepCoding: 'no http-response rule on Content-Encoding',
  allowLargeHeads: 'in global: tune.bufsize 65536',
  onlyBelow: (path) =>
    `use_backend points if { path_beg ${path} }; a path_beg behind hdr(host) on one line is a second host name, not a condition`,
  allowLargeAnswers: 'in global: tune.bufsize 65536',
  keepErrors: 'no http-response return',
  allowLargeBodies: 'no http-request deny on req.body_size or on Content-Length',
  leaveCrossOrigin: 'no http-response set-header Access-Control-*, no return for OPTIONS',
  chooseHost: 'before serve no set-header Host; to the service http-request set-header Host SERVICE_HOST',
  sendHost: (host) => `http-request set-header Host ${host}`,
  forwardTo: (_path, cut) =>
    cut === '' ? 'no http-request set-path' : `http-request replace-path ${cut}(/.*) \\1`,
  route: (path, serve) =>
    `with serve: use_backend points if { path_beg ${path} }, and in backend points server serve ${serve}, http-request del-header X-Forwarded-Host, http-request del-header Forwarded; if it is there already, an http-request return or an earlier use_backend takes the request`,
  keepFields: 'no http-request del-header',
  open: (path) => `add: unless { path_beg ${path} }`,
  liftLimits: 'no http-request return or deny with 503 or 429',
  findNextHop: 'see server, and default-server of defaults; see its log',
  keepHost: 'no http-request set-header Host',
  tellScheme: 'http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]',
  sendScheme: (scheme) => `http-request set-header X-Forwarded-Proto ${scheme}`,
  clearForwarding: (scheme) =>
    `http-request set-header X-Forwarded-Proto ${scheme}, http-request del-header X-Forwarded-Host, http-request del-header Forwarded`,
  keepPath: 'no http-request set-path or replace-path',
}
