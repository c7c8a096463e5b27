import type { FrontEndName } from '../config/front-end-names.ts'

/** How `check` knows a front end by its answers, and what it advises for it. */
export interface Advisor extends Advice {
  /** As the config names it. */
  readonly name: FrontEndName
  /** Its name in findings: `Apache`. */
  readonly title: string
  /** Its name in Server and Via. */
  readonly field?: RegExp
  /** What its own error pages contain near their start. */
  readonly errorPage?: RegExp
  /** Its own 503 tells of a limit or of maintenance; that of others, that what they forward to is gone. */
  readonly limitsBy503?: true
}

/** What to write in the config, by what has to change there. */
export interface Advice {
  readonly listen: string
  readonly showCertificate: string
  readonly keepLocation: string
  /** Redirects of the service are returned, not followed. */
  readonly returnRedirects: string
  readonly keepLastSlash: string
  /** The point is put before the rules of the site. */
  readonly except: (path: string) => string
  readonly setField: (name: string, value: string) => string
  /** Path and query stay as received, byte for byte. */
  readonly keepRawPath: string
  /** The point and everything below it, with encoded slashes. */
  readonly forwardBelow: (path: string) => string
  readonly allowMethods: string
  readonly keepSetCookie: string
  readonly keepCookie: string
  readonly bypassCache: string
  readonly keepCacheControl: string
  readonly allowLargeHeads: string
  readonly allowLargeBodies: string
  /** Errors of the service are not replaced. */
  readonly keepErrors: string
  /** What pages of other origins may do is left to the service. */
  readonly leaveCrossOrigin: string
  /** The visitor's Host before `serve`, the service's own before the service. */
  readonly chooseHost: string
  readonly sendHost: (host: string) => string
  /** `cut`: the cookie path, which the service does not get; empty if there is none. */
  readonly forwardTo: (path: string, cut: string) => string
  /** A whole rule for the point. `serve`: its host and port. */
  readonly route: (path: string, serve: string) => string
  readonly keepFields: string
  /** No login and no ban at the point. */
  readonly open: (path: string) => string
  readonly liftLimits: string
  /** Where to look if what it forwards to does not answer. */
  readonly findNextHop: string
  /** The visitor's Host reaches `serve`. */
  readonly keepHost: string
  /** `serve` learns the scheme of the request. */
  readonly tellScheme: string
  /** The same, where TLS ends before the front end. */
  readonly sendScheme: (scheme: string) => string
  /** That, and no other field about the hop before. */
  readonly clearForwarding: (scheme: string) => string
  /** The path reaches `serve` unchanged. */
  readonly keepPath: string
}
