import { toCanonicalHost } from '../http/host.ts'
import { toSite } from '../site/site.ts'
import type { FoundScope } from './found-scope.ts'

/** The cookies that belong to the sites of these canonical hosts. A domain that no site can be told of is kept, and without hosts all are. */
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
