import type { CookieConfig } from '../config/config.ts'
import {
  type CookieScope,
  type JudgedScope,
  judgeScope,
  toCookiePaths,
  toDomainText,
  toReceivedDomains,
} from '../site/cookie-scope.ts'
import { addUnder, indexBy } from './by-key.ts'
import { type Carriage, type Facts, isSound, type PointFact, type SoundPoint } from './facts.ts'
import {
  isCrossSite,
  isMixedContent,
  isSchemeMismatch,
  type PagesBySite,
  type ParsedUrl,
} from './parsed-url.ts'

/** By its SameSite attribute too, which the service's scopes lack: with None it must be Secure, or it isn't stored. */
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

/** In the order given. Points that are faulty, cross-site, blocked or duplicates receive nothing. */
export function judgeCarriages(
  judged: readonly JudgedScope[],
  points: readonly PointFact[],
  pagesBySite: PagesBySite,
): readonly Carriage[] {
  const scopes = judged.map(({ scope }) => scope)
  const drafts = scopes.map((scope): Draft => ({ scope, isOnPath: false, sure: [], maybe: [] }))
  const cookies = indexScopes(scopes)
  const onHost = new Map<string, PointFact[]>()
  for (const fact of findUsablePoints({ points, pagesBySite })) {
    const { parsed, point } = fact
    addUnder(onHost, toReceivedDomains(parsed.host), fact)
    for (const index of findOnPath(cookies, parsed.host, point.path)) {
      const draft = drafts[index]
      if (draft?.scope === undefined) continue
      draft.isOnPath = true
      const certainty = judgeCertainty(draft.scope, parsed, pagesBySite)
      if (certainty !== 'none') draft[certainty].push(fact)
    }
  }
  return drafts.map((draft) => {
    const hosts = draft.scope === undefined ? [] : (onHost.get(toDomainText(draft.scope)) ?? [])
    return { kind: findObstacle(draft, hosts), onHost: hosts, sure: draft.sure, maybe: draft.maybe }
  })
}

/** The indexes of cookies by domain, then by path. */
export type ScopeIndex = ReturnType<typeof indexScopes>

export function indexScopes(scopes: readonly (CookieScope | undefined)[]) {
  const byDomain = indexBy(scopes.keys(), (at) => {
    const scope = scopes[at]
    return scope === undefined ? [] : [toDomainText(scope)]
  })
  return new Map([...byDomain].map(([domain, all]) => [domain, indexBy(all, (at) => [scopes[at]?.path])]))
}

export function findOnPath(index: ScopeIndex, host: string, path: string): readonly number[] {
  const paths = toCookiePaths(path)
  const byPaths = toReceivedDomains(host).flatMap((domain) => index.get(domain) ?? [])
  return byPaths.flatMap((byPath) => paths.flatMap((each) => byPath.get(each) ?? []))
}

/** The points that browsers let the widget call. */
export function findUsablePoints(facts: CalledFacts): readonly SoundPoint[] {
  return findCalledPoints(facts).filter(({ parsed }) => !isMixedContent(parsed, facts.pagesBySite))
}

/** The points that the widget calls: not those of other sites, and duplicates once. */
export function findCalledPoints({ points, pagesBySite }: CalledFacts): readonly SoundPoint[] {
  return points
    .filter(isSound)
    .filter(({ parsed, duplicateOf }) => duplicateOf === undefined && !isCrossSite(parsed, pagesBySite))
}

type CalledFacts = Pick<Facts, 'points' | 'pagesBySite'>

interface Draft {
  readonly scope: CookieScope | undefined
  isOnPath: boolean
  readonly sure: PointFact[]
  readonly maybe: PointFact[]
}

function findObstacle(draft: Draft, onHost: readonly PointFact[]): Carriage['kind'] {
  if (draft.scope === undefined) return 'unstorable'
  if (onHost.length === 0) return 'no-host'
  if (!draft.isOnPath) return 'no-path'
  if (draft.sure.length > 0) return 'sent'
  return draft.maybe.length > 0 ? 'depends' : 'insecure'
}

// RFC 6265bis section 5.8.3: Secure requires a protocol that the browser considers secure, and loopback counts as one.
// An https point receives cookies of every kind, unless pages with the other scheme make it depend on SameSite and the
// user's settings.
export function judgeCertainty(
  scope: CookieScope,
  parsed: ParsedUrl,
  pagesBySite: PagesBySite,
): 'sure' | 'maybe' | 'none' {
  if (isSchemeMismatch(parsed, pagesBySite)) return 'maybe'
  if (parsed.scheme === 'https' || parsed.loopback || scope.secure === false) return 'sure'
  return scope.secure === undefined ? 'maybe' : 'none'
}
