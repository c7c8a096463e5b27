import type { Facts } from './facts.ts'
import { toSubjectKey } from './finding.ts'
import { type LiveFact, verificationReply } from './read/live-fact.ts'
import type { Purpose } from './read/question.ts'
import { readStandIn } from './read/stand-in-report.ts'
import { findTroubles, type Trouble } from './read/troubles.ts'
import type { Case, FactName, Rule } from './rule.ts'

/**
 * The result of a rule on one subject, for rules that depend on it. `root`: the rule that failed or was inconclusive
 * first; `message`: its message.
 */
export type Standing =
  | { readonly kind: 'holds' }
  | { readonly kind: 'failed'; readonly root: string; readonly message: string }
  | { readonly kind: 'inconclusive'; readonly root: string; readonly message: string }

/** By rule, then by the key of the subject; no entry where a rule holds. */
export type Standings = ReadonlyMap<string, ReadonlyMap<string, Standing>>

/** Why a rule can't be judged on a subject. */
type Obstacle =
  | Exclude<Standing, { readonly kind: 'holds' }>
  | { readonly kind: 'missing'; readonly message: string }

/** The first of a rule's needs that is not met on this subject. Only here is it decided which rule gets the blame. */
export function findObstacle(
  rule: Rule,
  each: Case,
  facts: Facts,
  standings: Standings,
): Obstacle | undefined {
  const { needs = {} } = rule
  for (const name of needs.facts ?? []) {
    const message = MISSING[name](facts)
    if (message !== undefined) return { kind: 'missing', message }
  }
  const standingOf = (id: string) => {
    const ofRule = standings.get(id)
    return ofRule === undefined || ofRule.size === 0 ? undefined : ofRule.get(toSubjectKey(each))
  }
  for (const id of needs.rules ?? []) {
    const standing = standingOf(id)
    // If this rule is the root itself, the other one depends on it, not the other way round.
    if (standing !== undefined && standing.kind !== 'holds' && standing.root !== rule.id) return standing
  }
  const { live } = each
  if (live === undefined) return undefined
  const isCompared = readStandIn(verificationReply(live)) === undefined
  for (const id of isCompared ? (needs.comparison ?? []) : []) {
    const standing = standingOf(id)
    if (standing?.kind === 'failed') return standing
  }
  return needs.answers === undefined ? undefined : findSpoiler(rule.id, live, needs.answers)
}

function findSpoiler(id: string, live: LiveFact, purposes: readonly Purpose[]): Obstacle | undefined {
  const { spoiled, shown } = findTroubles(live)
  // A rule always reports its own fault.
  if (shown.some((trouble) => toBlamed(trouble) === id)) return undefined
  const troubles = [...spoiled].flatMap(([observation, trouble]) =>
    purposes.includes(observation.question.purpose) ? [trouble] : [],
  )
  for (const trouble of troubles) {
    const root = toBlamed(trouble)
    if (root !== undefined) return { kind: 'failed', root, message: TROUBLES[trouble.kind] }
  }
  return troubles.length === 0 ? undefined : { kind: 'inconclusive', root: id, message: LIMITED }
}

/** The rule that reports a trouble; a rate limit is not a fault. */
function toBlamed(trouble: Trouble): string | undefined {
  switch (trouble.kind) {
    case 'redirected':
      return 'live/redirect'
    case 'stored':
      return 'live/cached'
    case 'no-deep-path':
      return 'live/methods'
    case 'no-cookie-line':
      return 'live/set-cookie'
    case 'hung-up':
      return BLAMED_FOR_HANG_UP[trouble.since]
    case 'rate-limited':
      return undefined
  }
}

/** What arrived instead of the answers. */
const TROUBLES: Readonly<Record<Trouble['kind'], string>> = {
  redirected: 'the front end answers with a redirect of its own',
  stored: 'a stored answer came back',
  'no-deep-path': "paths below the point's own don't arrive",
  'no-cookie-line': "a Cookie line doesn't arrive as it was sent",
  'hung-up': 'the connection was closed without an answer',
  'rate-limited': 'a rate limit turned the requests away',
}

const BLAMED_FOR_HANG_UP: Readonly<Partial<Record<Purpose, string>>> = {
  method: 'live/methods',
  redirect: 'live/redirect',
  'set-cookie': 'live/set-cookie',
  cookie: 'live/set-cookie',
}

const LIMITED =
  'A rate limit (429, or 503 with Retry-After) turned requests away, so not everything could be tested. Try again later, or exempt the check from the limit'

const MISSING: Readonly<Record<FactName, (facts: Facts) => string | undefined>> = {
  pages: ({ pages, pagesBySite }) => {
    if (pages.length === 0) return 'no pages are given'
    return pagesBySite.size === 0 ? 'no page has a URL that can be read' : undefined
  },
  cookies: ({ cookies }) => (cookies.length === 0 ? 'no cookies are listed' : undefined),
  service: ({ service }) => (service === undefined ? 'no service is given' : undefined),
  backTransfer: ({ backTransfer }) => (backTransfer ? undefined : 'backTransfer is off'),
}
