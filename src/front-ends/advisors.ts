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
  showCertificate: 'https.createServer({ cert, key, maxHeaderSize: 65_536 }, site)',
  keepLocation: 'no middleware that rewrites Location',
  returnRedirects: 'fetch with redirect: "manual"',
  keepLastSlash: 'no middleware that takes slashes off',
  except: () => 'mount the points before the middleware that redirects',
  setField: () => 'the points set the header; see "points" and "widgetKey"',
  keepRawPath: 'mount at /, before what rewrites req.url',
  forwardBelow: () => 'app.use, not a route for one path',
  allowMethods: 'app.use or app.all, not app.get; before body parsers',
  keepSetCookie: 'no middleware that rewrites cookies',
  keepCookie: 'no middleware that changes the Cookie header; see "forward.cookies"',
  bypassCache: 'mount the points before a caching middleware',
  keepCacheControl: 'mount the points before a middleware that sets Cache-Control',
  keepCoding: 'mount the points before what compresses',
  allowLargeHeads: 'createServer({ maxHeaderSize: 65_536 }, site)',
  onlyBelow: () => 'nothing before the points forwards to the service',
  allowLargeAnswers: 'no middleware that limits heads',
  keepErrors: 'no middleware before the points that replaces answers',
  allowLargeBodies: 'mount the points before every body parser',
  leaveCrossOrigin: 'mount the points before cors()',
  chooseHost: 'mount the points before the routes of the site; they send the Host of "service.url"',
  sendHost: () => 'the points send that Host; see "service.url"',
  forwardTo: () => 'see "service.keepCookiePath"',
  route: () => 'site.use(points.listener) before the routes and body parsers of the site',
  keepFields: 'no middleware that drops headers of the request',
  open: () => 'mount the points before the login',
  liftLimits: 'mount the points before the rate limiter',
  findNextHop: 'see the proxy before the app',
  keepHost: 'nothing before the points may change Host',
  tellScheme: 'as in the proxy before the app',
  sendScheme: () => 'as in the proxy before the app',
  clearForwarding: () => 'as in the proxy before the app',
  keepPath: 'mount at /, not below a path',
}

/** All advisors, in the order of findings. With the rest of each front end, `check` would take 4 ms longer to start. */
export const advisors: readonly Advisor[] = [nginx, apache, caddy, haproxy, mounted]
