import type { Facts } from './facts.ts'
import { toSubjectKey } from './finding.ts'
import type { LiveFact, Purpose } from './read/live-fact.ts'
import { standInOf } from './read/stand-in-report.ts'
import { findTroubles, type Trouble } from './read/troubles.ts'
import { isVouched } from './read/vouched.ts'
import type { Case, FactName, Rule } from './rule.ts'

/** Tells the rules that depend on a rule that it does not hold on one subject. */
export interface Standing {
  readonly kind: 'failed' | 'inconclusive'
  /** The rule that failed or was inconclusive first, and its message. */
  readonly root: string
  readonly message: string
}

/** By rule, then by the key of the subject; no entry where a rule holds. */
export type Standings = ReadonlyMap<string, ReadonlyMap<string, Standing>>

/** Why a rule can't be judged on a subject. */
type Blame = Standing | { readonly kind: 'missing'; readonly message: string }

/** The first of a rule's needs that is not met on this subject. Only here is it decided which rule gets the blame. */
export function findBlame(rule: Rule, each: Case, facts: Facts, standings: Standings): Blame | undefined {
  const { needs = {} } = rule
  for (const name of needs.facts ?? []) {
    const message = MISSING[name](facts)
    if (message !== undefined) return { kind: 'missing', message }
  }
  const key = toSubjectKey(each)
  for (const id of needs.rules ?? []) {
    const standing = standings.get(id)?.get(key)
    // If this rule is the root itself, the other one depends on it, not the other way round.
    if (standing !== undefined && standing.root !== rule.id) return standing
  }
  const { live } = each
  if (live === undefined) return undefined
  const isCompared = standInOf(live) === undefined && !isVouched(live)
  for (const id of isCompared ? (needs.comparison ?? []) : []) {
    const standing = standings.get(id)?.get(key)
    if (standing?.kind === 'failed') return standing
  }
  return needs.answers === undefined ? undefined : findSpoiler(rule.id, live, needs.answers)
}

function findSpoiler(id: string, live: LiveFact, purposes: readonly Purpose[]): Blame | undefined {
  const { spoiled, shown } = findTroubles(live)
  // A rule always reports its own fault.
  if (shown.some((trouble) => findBlamedRule(trouble) === id)) return undefined
  const troubles = [...spoiled].flatMap(([observation, trouble]) =>
    purposes.includes(observation.question.purpose) ? [trouble] : [],
  )
  for (const trouble of troubles) {
    const root = findBlamedRule(trouble)
    if (root !== undefined) return { kind: 'failed', root, message: TROUBLES[trouble.kind].instead }
  }
  return troubles.length === 0 ? undefined : { kind: 'inconclusive', root: id, message: LIMITED }
}

/** The rule that reports a trouble. */
function findBlamedRule(trouble: Trouble): string | undefined {
  return trouble.kind === 'hung-up' ? BLAMED_FOR_HANG_UP[trouble.since] : TROUBLES[trouble.kind].rule
}

/** What arrived instead of the answers, and the rule that reports it; a rate limit is not a fault. */
const TROUBLES: Readonly<Record<Trouble['kind'], { readonly instead: string; readonly rule?: string }>> = {
  redirected: { instead: 'the front end answers with a redirect of its own', rule: 'live/redirect' },
  stored: { instead: 'a stored answer came back', rule: 'live/cached' },
  'no-deep-path': { instead: "paths below the point's own don't arrive", rule: 'live/methods' },
  'no-cookie-line': { instead: "a Cookie line doesn't arrive as it was sent", rule: 'live/set-cookie' },
  'hung-up': { instead: 'the connection was closed without an answer' },
  'rate-limited': { instead: 'a rate limit turned the requests away' },
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
