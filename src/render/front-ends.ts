import { apache } from './apache.ts'
import { caddy } from './caddy.ts'
import { cloudflareWorker } from './cloudflare-worker.ts'
import { cloudfront } from './cloudfront.ts'
import { envoy } from './envoy.ts'
import type { FrontEnd } from './front-end.ts'
import { gatewayApi } from './gateway-api.ts'
import { h2o } from './h2o.ts'
import { haproxy } from './haproxy.ts'
import { iis } from './iis.ts'
import { ingress } from './ingress.ts'
import { lighttpd } from './lighttpd.ts'
import { nginx } from './nginx.ts'
import { traefik } from './traefik.ts'
import { trafficServer } from './traffic-server.ts'
import { varnish } from './varnish.ts'

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

/** The front end with this name, or `undefined`. */
export function findFrontEnd(name: string): FrontEnd | undefined {
  return frontEnds.find((each) => each.name === name)
}
