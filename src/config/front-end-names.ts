/** What may be in front of a site: each front end of `render`, and an app in Node. */
export const frontEndNames = [
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

export type FrontEndName = (typeof frontEndNames)[number]
