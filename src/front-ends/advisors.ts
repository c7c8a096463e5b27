import type { Advisor } from './advisor.ts'
import { advisor as apache } from './apache/advisor.ts'
import { advisor as caddy } from './caddy/advisor.ts'
import { advisor as haproxy } from './haproxy/advisor.ts'
import { advisor as nginx } from './nginx/advisor.ts'

/** `openPoints` in the user’s own app. */
export const mounted: Advisor = {
  name: 'node',
  title: 'mounted in an app',
  listen: 'listen on the addresses of the host, not on 127.0.0.1',
  showCertificate: '"listen": { "tls": { "cert": "file:FULLCHAIN.pem", "key": "file:KEY.pem" } }',
  keepLocation: 'no middleware that rewrites Location',
  returnRedirects: 'fetch with redirect: "manual"',
  keepLastSlash: 'no middleware that takes slashes off',
  except: () => 'mount the points before the middleware that redirects',
  setField: () => 'it sets the header; see "points" and "widgetKey"',
  keepRawPath: 'mount at /, before what rewrites req.url',
  forwardBelow: () => 'app.use, not a route for one path',
  allowMethods: 'app.use or app.all, not app.get; before body parsers',
  keepSetCookie: 'no middleware that rewrites cookies',
  keepCookie: 'no middleware that changes the Cookie header; see "forward.cookies"',
  bypassCache: 'mount the points before a caching middleware',
  keepCacheControl: 'mount the points before a middleware that sets Cache-Control',
  keepCoding: 'mount the points before what compresses',
  allowLargeHeads: 'node --max-http-header-size=65536; for serve "limits.headerBytes"',
  onlyBelow: () => 'nothing before it forwards to the service',
  allowLargeAnswers: 'no middleware that limits heads',
  keepErrors: 'no middleware before it that replaces answers',
  allowLargeBodies: 'mount the points before every body parser',
  leaveCrossOrigin: 'mount the points before cors()',
  chooseHost: 'mount it before the routes of the site; it sends the Host of "service.url"',
  sendHost: () => 'it sends that Host; see "service.url"',
  forwardTo: () => 'see "service.keepCookiePath"',
  route: () => 'mount it before the routes of the site',
  keepFields: 'no middleware that drops headers of the request',
  open: () => 'mount the points before the login',
  liftLimits: 'mount the points before the rate limiter',
  findNextHop: 'see the proxy before the app',
  keepHost: 'nothing before it may change Host',
  tellScheme: 'as in the proxy before the app',
  sendScheme: () => 'as in the proxy before the app',
  clearForwarding: () => 'as in the proxy before the app',
  keepPath: 'mount at /, not below a path',
}

/** All advisors, in the order of findings. With the rest of each front end, `check` would take 4 ms longer to start. */
export const advisors: readonly Advisor[] = [nginx, apache, caddy, haproxy, mounted]
