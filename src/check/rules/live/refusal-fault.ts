import { FAILURES, type FailureKind } from '../../../forward/failure.ts'
import type { Point } from '../../../points/point.ts'
import type { Fix } from '../../fix.ts'
import type { LiveFact } from '../../read/live-fact.ts'
import type { OwnRefusal } from '../../read/own-refusal.ts'
import { fail, type Ruling } from '../../rule.ts'

/** The finding if continuation-point itself refused the request. Its texts are ours, never the answer's. */
export function failRefusal(fact: LiveFact, refusal: OwnRefusal): Ruling {
  const [what, fix] = diagnose(fact, refusal)
  const { status, reason, authority, scheme } = refusal
  const { point } = fact
  const part = reason.endsWith('-scheme') ? `scheme ${point.scheme}` : `GET ${point.path}`
  const sent = reason === 'unknown-authority' ? `Host: ${point.authority}` : part
  const arrived = [
    ...(authority === undefined ? [] : [`Host: ${authority}`]),
    ...(scheme === undefined ? [] : [`scheme ${scheme}`]),
  ]
  return fail(what, fix, { sent, arrived: [...arrived, `answer ${status} ${reason}`], status, reason })
}

function diagnose({ point }: LiveFact, { status, reason, authority }: OwnRefusal): Diagnosis {
  if (reason === 'unknown-authority' && authority !== point.authority) {
    const what =
      authority === point.host
        ? `your web server or proxy drops the port of the Host, ${authority} arrives`
        : `your web server or proxy sends a different Host than the visitor's${authority === undefined ? '' : `, ${authority}`}`
    return [
      `serve refuses the request: ${what}`,
      { what: "Pass the visitor's Host on to serve", remedy: (advice) => advice.keepHost },
    ]
  }
  if (!isFailureKind(reason)) return [`serve refuses the request: ${status}, ${reason}`, SEE_LOG]
  const { detail, next, source } = FAILURES[reason]
  const fix = FIXES[reason]?.(point) ?? next.slice(0, -1)
  if (reason === 'upstream-refused') return ["serve can't reach the service: connection refused", fix]
  const start =
    source === 'upstream' ? 'serve gets no valid answer from the service' : 'serve refuses the request'
  return [`${start}: ${detail.slice(0, -1)} (${reason})`, fix]
}

/** What is wrong, and what to change. */
export type Diagnosis = readonly [what: string, fix: Fix | string]

function isFailureKind(reason: string): reason is FailureKind {
  return Object.hasOwn(FAILURES, reason)
}

const SEE_LOG = "Look the request up in the log of serve: the answer's X-Request-Id is its id there"

const CAPACITY =
  'Try again; if it keeps happening, give serve more memory (by default it bounds limits.concurrentRequests) or run more instances'

/** Where a front end can be at fault, the config lacks the point, or the answer speaks to visitors. */
const FIXES: Partial<Record<FailureKind, (point: Point) => Fix | string>> = {
  'unknown-authority': ({ url }) => ({ what: `Add ${toPoints(url)}`, url }),
  'other-scheme': ({ scheme }) => ({
    what: `Tell serve the scheme that the visitor uses: ${scheme}`,
    remedy: (advice) => advice.sendScheme(scheme),
  }),
  'ambiguous-scheme': () => ({
    what: 'Tell serve the scheme that the visitor uses, and list your web server or proxy in listen.trustedProxies if it is on another machine',
    remedy: (advice) => advice.tellScheme,
  }),
  'unknown-path': ({ url }) => ({
    what: `Pass the path on unchanged, and make sure that serve has the point: add ${toPoints(url)}`,
    url,
    remedy: (advice) => advice.keepPath,
  }),
  'bad-forwarding': ({ scheme }) => ({
    what: 'Send X-Forwarded-Proto alone, and clear the others',
    remedy: (advice) => advice.clearForwarding(scheme),
  }),
  overloaded: () => CAPACITY,
  internal: () => SEE_LOG,
}

function toPoints(url: string): string {
  return `${url} to "points" of the config that serve runs with, and reload it`
}
