import { openBreakage } from '../../../src/sandbox/shop/breakage.ts'
import { createShop } from '../../../src/sandbox/shop/shop.ts'

const SITE = 'http://www.shop.localhost:8080'

/** The shop of the demo, with points at these URLs, and no proxy in front of it. */
export function aShop(
  points: readonly string[] = [
    `${SITE}/service_cookie_transfer/`,
    `${SITE}/checkout/service_cookie_transfer/`,
    'http://pay.shop.localhost:8080/service_cookie_transfer/',
    'http://www.other.localhost:8080/service_cookie_transfer/',
  ],
) {
  const page = { widgetKey: 'demo-widget-key', pageUrl: `${SITE}/`, agentToken: 'token' }
  return createShop(
    { ...page, points, service: 'http://cobrowse.shop.localhost:9090', steps: [] },
    openBreakage(
      points[0] ?? '',
      async () => 'nothing',
      async () => {},
    ),
  )
}
