import type { CookieConfig } from '../config/config.ts'
import { isIpHost } from '../http/host.ts'
import { toCookiePaths } from '../site/cookie-match.ts'
import {
  type CookieDomain,
  type CookieScope,
  hostReceives,
  type JudgedScope,
  judgeScope,
} from '../site/cookie-scope.ts'
import { type Carriage, type Facts, isSound, type PointFact, type SoundPoint } from './facts.ts'
import { addUnder } from './index-by.ts'
import {
  isCrossSite,
  isMixedContent,
  isSchemeMismatch,
  type PagesBySite,
  type ParsedUrl,
} from './parsed-url.ts'

/**
 * Judges a scope by its SameSite attribute too, which the service's scopes don't have: a cookie with SameSite=None must
 * be Secure, or browsers don't store it.
 */
export function judgeCookie(config: CookieConfig): JudgedScope {
  const judged = judgeScope(config)
  if (isInsecureNone(config)) return { ...judged, scope: undefined }
  if (config.sameSite !== 'None' || judged.scope === undefined) return judged
  return { ...judged, scope: { ...judged.scope, secure: true } }
}

/** SameSite=None without Secure: browsers drop such a cookie (RFC 6265bis section 5.7). */
export function isInsecureNone({ sameSite, secure }: CookieConfig): boolean {
  return sameSite === 'None' && secure === false
}

/**
 * Works out the carriage of every cookie, in the order given. Points that are faulty, cross-site, blocked or duplicates
 * receive nothing.
 */
export function toCarriages(
  judged: readonly JudgedScope[],
  points: readonly PointFact[],
  pagesBySite: PagesBySite,
): readonly Carriage[] {
  const drafts = judged.map(({ scope }): Draft => ({ scope, onHost: [], onPath: [], sure: [], maybe: [] }))
  const domains = indexByDomain(drafts)
  for (const fact of toUsablePoints({ points, pagesBySite })) {
    const { parsed, point } = fact
    for (const domain of toDomains(parsed.host).flatMap((host) => domains.get(host) ?? [])) {
      if (!hostReceives(parsed.host, domain)) continue
      domain.onHost.push(fact)
      for (const draft of toCookiePaths(point.path).flatMap((path) => domain.byPath.get(path) ?? [])) {
        if (draft.scope === undefined) continue
        draft.onPath.push(fact)
        const certainty = toCertainty(draft.scope, parsed, pagesBySite)
        if (certainty !== 'none') draft[certainty].push(fact)
      }
    }
  }
  return drafts.map((draft) => ({
    kind: toKind(draft),
    onHost: draft.onHost,
    sure: draft.sure,
    maybe: draft.maybe,
  }))
}

/** The points that browsers let the widget call. */
export function toUsablePoints(facts: CalledFacts): readonly SoundPoint[] {
  return toCalledPoints(facts).filter(({ parsed }) => !isMixedContent(parsed, facts.pagesBySite))
}

/** The points that the widget calls: not those of other sites, and duplicates once. */
export function toCalledPoints({ points, pagesBySite }: CalledFacts): readonly SoundPoint[] {
  return points
    .filter(isSound)
    .filter(({ parsed, duplicateOf }) => duplicateOf === undefined && !isCrossSite(parsed, pagesBySite))
}

type CalledFacts = Pick<Facts, 'points' | 'pagesBySite'>

interface Draft {
  readonly scope: CookieScope | undefined
  /** Shared by the cookies of one domain. */
  onHost: PointFact[]
  readonly onPath: PointFact[]
  readonly sure: PointFact[]
  readonly maybe: PointFact[]
}

/** The cookies of one domain, by path. */
interface DomainDrafts extends CookieDomain {
  readonly onHost: PointFact[]
  readonly byPath: Map<string, Draft[]>
}

/** By host: the domain cookies and the host-only ones. */
function indexByDomain(drafts: readonly Draft[]): ReadonlyMap<string, readonly DomainDrafts[]> {
  const index = new Map<string, DomainDrafts[]>()
  for (const draft of drafts) {
    if (draft.scope === undefined) continue
    const { host, hostOnly, path } = draft.scope
    let domain = index.get(host)?.find((each) => each.hostOnly === hostOnly)
    if (domain === undefined) {
      domain = { host, hostOnly, onHost: [], byPath: new Map() }
      addUnder(index, [host], domain)
    }
    draft.onHost = domain.onHost
    addUnder(domain.byPath, [path], draft)
  }
  return index
}

function toKind(draft: Draft): Carriage['kind'] {
  if (draft.scope === undefined) return 'unstorable'
  if (draft.onHost.length === 0) return 'no-host'
  if (draft.onPath.length === 0) return 'no-path'
  if (draft.sure.length > 0) return 'sent'
  return draft.maybe.length > 0 ? 'depends' : 'insecure'
}

// RFC 6265bis section 5.8.3: Secure requires a protocol that the browser considers secure, and loopback counts as one.
// An https point receives cookies of every kind, unless pages with the other scheme make it depend on SameSite and the
// user's settings.
function toCertainty(
  scope: CookieScope,
  parsed: ParsedUrl,
  pagesBySite: PagesBySite,
): 'sure' | 'maybe' | 'none' {
  if (isSchemeMismatch(parsed, pagesBySite)) return 'maybe'
  if (parsed.scheme === 'https' || parsed.loopback || scope.secure === false) return 'sure'
  return scope.secure === undefined ? 'maybe' : 'none'
}

// The only domains whose cookies a host can receive: itself and, if it is a name, each of its parent domains.
function toDomains(host: string): readonly string[] {
  if (isIpHost(host)) return [host]
  const labels = host.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
