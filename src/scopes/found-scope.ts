import { toCanonicalHost } from '../http/host.ts'
import type { ScopeText } from '../site/cookie-scope.ts'
import { toSite } from '../site/site.ts'

/** A cookie scope found in an export, as the config writes it: name and attributes, never a value. */
export interface FoundScope extends ScopeText {
  /** `undefined` if a person named the cookie, who need not know. */
  readonly secure: boolean | undefined
  readonly sameSite: 'Strict' | 'Lax' | 'None' | undefined
}

export interface FoundScopes {
  readonly scopes: readonly FoundScope[]
  /** Sentences for the user, without values: lines left out, an export without cookies. */
  readonly notes: readonly string[]
}

/** Each scope once, with its last attributes, as in a browser; sorted by domain, path and name. */
export function keepLast(scopes: readonly FoundScope[]): readonly FoundScope[] {
  const toKey = ({ domain, path, name }: FoundScope) => JSON.stringify([domain, path, name])
  const byScope = new Map(scopes.map((scope) => [toKey(scope), scope]))
  return [...byScope].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, scope]) => scope)
}

/** The cookies that belong to the sites of these canonical hosts. Invalid domains are kept; without hosts everything is. */
export function ofSites(
  scopes: readonly FoundScope[],
  hosts: readonly string[],
): { readonly scopes: readonly FoundScope[]; readonly foreignCount: number } {
  const sites = new Set(hosts.map(toSite))
  const own = scopes.filter(({ domain }) => {
    const host = toCanonicalHost(domain.replace(/^\./, ''))
    return sites.size === 0 || host === undefined || sites.has(toSite(host))
  })
  return { scopes: own, foreignCount: scopes.length - own.length }
}
