import { apache } from './apache/index.ts'
import { caddy } from './caddy/index.ts'
import { cloudflareWorker } from './cloudflare-worker/index.ts'
import { cloudfront } from './cloudfront/index.ts'
import { envoy } from './envoy/index.ts'
import type { FrontEnd } from './front-end.ts'
import { gatewayApi } from './gateway-api/index.ts'
import { h2o } from './h2o/index.ts'
import { haproxy } from './haproxy/index.ts'
import { iis } from './iis/index.ts'
import { ingress } from './ingress/index.ts'
import { lighttpd } from './lighttpd/index.ts'
import { nginx } from './nginx/index.ts'
import { traefik } from './traefik/index.ts'
import { trafficServer } from './trafficserver/index.ts'
import { varnish } from './varnish/index.ts'

/** All front ends, in the order of help. */
export const frontEnds: readonly FrontEnd[] = [
  nginx,
  apache,
  caddy,
  haproxy,
  traefik,
  envoy,
  varnish,
  lighttpd,
  h2o,
  trafficServer,
  iis,
  gatewayApi,
  ingress,
  cloudflareWorker,
  cloudfront,
]

export function findFrontEnd(name: string): FrontEnd | undefined {
  return frontEnds.find((each) => each.name === name)
}
