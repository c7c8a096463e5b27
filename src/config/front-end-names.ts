/** What may be in front of a site: each front end of `render`, and an app in Node. */
export const FRONT_END_NAMES = [
  'nginx',
  'apache',
  'caddy',
  'haproxy',
  'traefik',
  'envoy',
  'varnish',
  'lighttpd',
  'h2o',
  'trafficserver',
  'iis',
  'gateway-api',
  'ingress',
  'cloudflare-worker',
  'cloudfront',
  'node',
] as const

export type FrontEndName = (typeof FRONT_END_NAMES)[number]
