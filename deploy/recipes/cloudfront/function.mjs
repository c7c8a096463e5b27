// Amazon CloudFront, without serve: a Lambda@Edge function (Node.js, ES module) for the points of one host. Lines marked
// CHANGE are of the example.
//
// The distribution needs an origin for the service (cobrowse.example.net, HTTPS only, TLSv1.2) with the custom header
// X-Widget-Key, and in front of all others a behaviour for each path, /service_cookie_transfer/* and
// /shop/service_cookie_transfer/*: all methods, CachingDisabled, an origin request policy with all cookies, query strings
// and headers but Host, and this function on viewer request, origin request and origin response.

const host = 'www.example.com' // CHANGE
const points = [
  { path: '/service_cookie_transfer/', cookiePath: '' }, // CHANGE
  { path: '/shop/service_cookie_transfer/', cookiePath: '/shop' }, // CHANGE
]

// What a client says about the hop before, and our own names in any spelling.
const requestRemoved =
  /^(?:forwarded|x-forwarded-(?:host|proto|port|server)|x[^a-z0-9]widget[^a-z0-9]key|x[^a-z0-9]continuation[^a-z0-9]origin|x[^a-z0-9-]forwarded[^a-z0-9].*|x-forwarded[^a-z0-9-].*|content[^a-z0-9-]length|transfer[^a-z0-9-]encoding)$/

// These would affect more of the site than this response.
const responseRemoved = `
  strict-transport-security alt-svc public-key-pins public-key-pins-report-only clear-site-data nel report-to
  reporting-endpoints expect-ct service-worker-allowed accept-ch critical-ch set-login idp-signin-status
  use-as-dictionary secure-session-registration secure-session-challenge sec-session-registration
  sec-session-challenge observe-browsing-topics origin-agent-cluster shared-storage-write
  attribution-reporting-register-source attribution-reporting-register-trigger
  attribution-reporting-register-os-source attribution-reporting-register-os-trigger x-accel-redirect
  x-accel-expires x-accel-limit-rate x-accel-buffering x-accel-charset x-sendfile x-sendfile2
  x-sendfile-temporary x-lighttpd-send-file x-lighttpd-kbytes-per-second x-litespeed-location x-litespeed-cache
  x-litespeed-cache-control x-litespeed-purge x-litespeed-tag x-litespeed-vary x-reproxy-url x-reproxy-file
  x-esi x-replace-session link x-appengine-blobkey x-middleware-rewrite fly-replay fly-replay-cache grip-hold
  grip-channel grip-link x-envoy-immediate-health-check-fail endpoint-load-metrics x-endpoint-load-metrics
  edge-control edge-cache-tag cf-edge-cache cache-tag cdn-tag surrogate-key xkey netlify-vary netlify-cache-tag
  netlify-cache-id vercel-cache-tag cache-groups cache-group-invalidation cdn-cache-control surrogate-control
  cloudflare-cdn-cache-control netlify-cdn-cache-control vercel-cdn-cache-control akamai-cache-control
`
  .trim()
  .split(/\s+/)

// Servers interpret these paths differently, so they are refused.
const refusedPath = /(?:^|\/|%2f|%5c|\\)(?:\.|%2e){1,2}(?:$|\/|%2f|%5c|\\)|\\|%0[0ad]/i

export async function handler(event) {
  const { config, request, response } = event.Records[0].cf
  if (config.eventType === 'viewer-request') return toViewerRequest(request, config.requestId)
  if (config.eventType === 'origin-response') return toResponse(response)
  return toOriginRequest(request)
}

function toViewerRequest(request, id) {
  const { headers, uri } = request
  if (headers.host[0].value.toLowerCase() !== host || findPoint(uri) === undefined) return { status: '404' }
  if (refusedPath.test(uri)) return { status: '400' }
  for (const name of Object.keys(headers)) if (requestRemoved.test(name)) delete headers[name]
  // Only here the visitor's host is known.
  headers['x-continuation-origin'] = [{ key: 'X-Continuation-Origin', value: `https://${host}` }]
  // The log of CloudFront has it as x-edge-request-id.
  headers['x-request-id'] = [{ key: 'X-Request-Id', value: id }]
  return request
}

function toOriginRequest(request) {
  const { headers, uri } = request
  const { customHeaders, domainName } = request.origin.custom
  const point = findPoint(uri)
  if (point === undefined || headers['x-continuation-origin'] === undefined) return { status: '404' }
  if (customHeaders['x-widget-key'] === undefined) return { status: '503' }
  request.uri = uri.slice(point.cookiePath.length)
  headers.host = [{ key: 'Host', value: domainName }]
  return request
}

function toResponse(response) {
  for (const name of responseRemoved) delete response.headers[name]
  response.headers['cache-control'] ??= [{ key: 'Cache-Control', value: 'private, no-store' }]
  return response
}

function findPoint(uri) {
  return points.find(({ path }) => uri.startsWith(path))
}
