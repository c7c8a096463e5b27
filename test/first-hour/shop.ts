/** The hosts of the shop, one of which has a cookie on a path. */
export const shopHosts = ['www.shop.localhost', 'pay.shop.localhost'] as const

/** What the site on each host sets, Secure and HttpOnly. */
export const setCookies = {
  'www.shop.localhost': ['sid=secret-of-sid; Path=/', 'basket=secret-of-basket; Path=/checkout'],
  'pay.shop.localhost': ['payment=secret-of-payment; Path=/'],
} as const

/** What a browser's add-on exports after a visit to the shop. */
export const shopCookies = [
  '# Netscape HTTP Cookie File',
  '#HttpOnly_www.shop.localhost\tFALSE\t/\tTRUE\t0\tsid\tsecret-of-sid',
  '#HttpOnly_www.shop.localhost\tFALSE\t/checkout\tTRUE\t0\tbasket\tsecret-of-basket',
  '#HttpOnly_pay.shop.localhost\tFALSE\t/\tTRUE\t0\tpayment\tsecret-of-payment',
  '#HttpOnly_.tracker.example\tTRUE\t/\tTRUE\t0\ttracker\tsecret-of-tracker',
  '',
].join('\n')

/** A page with the widget of the service in it. */
export function toPage(service: string): string {
  return `<title>Shop</title><script src="${service}/widget.js"></script>`
}
