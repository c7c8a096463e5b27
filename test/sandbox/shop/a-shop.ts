import { OAK_AND_LUMEN } from '../../../src/sandbox/shop/goods.ts'
import { createShop } from '../../../src/sandbox/shop/shop.ts'

const SITE = 'http://www.shop.localhost:8080'

/** The first shop of the demo, with points at these URLs and nothing to break. */
export function aShop(
  points: readonly string[] = [
    `${SITE}/service_cookie_transfer/`,
    `${SITE}/checkout/service_cookie_transfer/`,
  ],
) {
  return createShop({
    brand: OAK_AND_LUMEN,
    points,
    sister: { name: 'Birch & Beam', url: 'http://www.other.localhost:8080/' },
    widget: {
      widgetKey: 'demo-widget-key',
      pageUrl: `${SITE}/`,
      pointUrls: [
        `${SITE}/service_cookie_transfer/`,
        'http://pay.shop.localhost:8080/service_cookie_transfer/',
        'http://www.other.localhost:8080/service_cookie_transfer/',
      ],
      services: [{ origin: 'http://cobrowse.shop.localhost:9090', label: 'here' }],
      steps: [],
      agentToken: 'token',
    },
  })
}
