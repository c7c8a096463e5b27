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

/** The cookies that belong to the sites of these canonical hosts, if there are any, or have an invalid domain. */
export function onlyOfSites(found: FoundScopes, hosts: readonly string[]): FoundScopes {
  const { scopes, notes } = found
  const sites = new Set(hosts.map(toSite))
  const own = scopes.filter(({ domain }) => {
    const host = toCanonicalHost(domain.replace(/^\./, ''))
    return sites.size === 0 || host === undefined || sites.has(toSite(host))
  })
  const count = scopes.length - own.length
  const left = count === 1 ? '1 cookie of another site was' : `${count} cookies of other sites were`
  return { ...found, scopes: own, notes: count === 0 ? notes : [...notes, `${left} left out.`] }
}
