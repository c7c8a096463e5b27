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

/** In the order given. Cookies that are sent alike share one scope, so that many of them are no more work than one. */
export function judgeCookies(configs: readonly CookieConfig[]): readonly JudgedScope[] {
  const shared = new Map<string, CookieScope>()
  return configs.map(judgeCookie).map((judged) => {
    if (judged.scope === undefined) return judged
    const key = JSON.stringify([toDomainText(judged.scope), judged.scope.path, judged.scope.secure])
    const scope = shared.get(key) ?? judged.scope
    shared.set(key, scope)
    return { ...judged, scope }
  })
}

/** By its SameSite attribute too, which the service's scopes lack: with None it must be Secure, or it isn't stored. */
function judgeCookie(config: CookieConfig): JudgedScope {
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
  const drafts = new Map<CookieScope | undefined, Draft>(
    judged.map(({ scope }) => [scope, { isOnPath: false, sure: [], maybe: [] }]),
  )
  const scopes = indexScopes([...drafts.keys()])
  const onHost = new Map<string, PointFact[]>()
  for (const fact of findUsablePoints({ points, pagesBySite })) {
    const { parsed, point } = fact
    addUnder(onHost, toReceivedDomains(parsed.host), fact)
    for (const scope of findOnPath(scopes, parsed.host, point.path)) {
      const draft = drafts.get(scope)
      if (draft === undefined) continue
      draft.isOnPath = true
      const certainty = judgeCertainty(scope, parsed, pagesBySite)
      if (certainty !== 'none') draft[certainty].push(fact)
    }
  }
  const carriages = new Map(
    [...drafts].map(([scope, draft]) => {
      const hosts = scope && (onHost.get(toDomainText(scope)) ?? [])
      const { sure, maybe } = draft
      return [scope, { kind: findObstacle(hosts, draft), onHost: hosts ?? [], sure, maybe }]
    }),
  )
  return judged.flatMap(({ scope }) => carriages.get(scope) ?? [])
}

/** Scopes by domain, then by path. */
export type ScopeIndex = ReturnType<typeof indexScopes>

export function indexScopes(scopes: readonly (CookieScope | undefined)[]) {
  const distinct = new Set(scopes.filter((scope) => scope !== undefined))
  const byDomain = indexBy(distinct, (scope) => [toDomainText(scope)])
  return new Map([...byDomain].map(([domain, all]) => [domain, indexBy(all, ({ path }) => [path])]))
}

export function findOnPath(index: ScopeIndex, host: string, path: string): readonly CookieScope[] {
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
  isOnPath: boolean
  readonly sure: PointFact[]
  readonly maybe: PointFact[]
}

/** @param hosts the points on the right host; `undefined` for a cookie that no browser stores */
function findObstacle(
  hosts: readonly PointFact[] | undefined,
  { isOnPath, sure, maybe }: Draft,
): Carriage['kind'] {
  if (hosts === undefined) return 'unstorable'
  if (hosts.length === 0) return 'no-host'
  if (!isOnPath) return 'no-path'
  if (sure.length > 0) return 'sent'
  return maybe.length > 0 ? 'depends' : 'insecure'
}

// RFC 6265bis section 5.8.3: Secure requires a protocol that the browser considers secure, and loopback counts as one.
// An https point receives cookies of every kind, unless it depends on SameSite because of pages with the other scheme.
export function judgeCertainty(
  scope: CookieScope,
  parsed: ParsedUrl,
  pagesBySite: PagesBySite,
): 'sure' | 'maybe' | 'none' {
  if (isSchemeMismatch(parsed, pagesBySite)) return 'maybe'
  if (parsed.scheme === 'https' || parsed.loopback || scope.secure === false) return 'sure'
  return scope.secure === undefined ? 'maybe' : 'none'
}
