import { parse } from 'tldts'
import { isIpHost, withoutTrailingDot } from '../http/host.ts'

/**
 * The registrable domain of a canonical host: its public suffix and one label more (`example.co.uk`).
 *
 * URL Standard section 3.2: the Public Suffix List counts with its private section, so `a.github.io` and `b.github.io`
 * differ; a trailing dot of the host is kept. If no rule matches, the last label is the suffix (publicsuffix.org,
 * "Algorithm": the prevailing rule is `*`).
 *
 * @returns `undefined` for an IP address, a single label and a host that is itself a public suffix
 */
export function toRegistrableDomain(host: string): string | undefined {
  const domain = lookUp(host).domain
  // A host with empty labels (`a..b`) parses as a URL; no registry has such a name.
  if (domain === null || domain.startsWith('.')) return undefined
  return host.endsWith('.') ? `${domain}.` : domain
}

/**
 * The key of a host's site, ignoring the scheme: two canonical hosts are same-site if their keys are equal.
 *
 * HTML Standard section 7.1.1 (sites): the registrable domain, or the host itself where it has none. A registrable
 * domain is never a public suffix or an address, so the two kinds of key can't be confused.
 */
export function toSite(host: string): string {
  return toRegistrableDomain(host) ?? host
}

/**
 * Whether a canonical host is a public suffix by the list's full algorithm. A single label without a rule is one too, so
 * browsers don't store a domain cookie for `intranet`.
 */
export function isPublicSuffix(host: string): boolean {
  return !isIpHost(host) && toRegistrableDomain(host) === undefined
}

/** Whether a canonical host is a public suffix by a rule in the list: `com` and `github.io`, but not `localhost`. */
export function isListedPublicSuffix(host: string): boolean {
  const { isIcann, isPrivate } = lookUp(host)
  return isPublicSuffix(host) && (isIcann === true || isPrivate === true)
}

// tldts' host extraction is off, since hosts are canonical already, and so is its validation, which accepts fewer hosts than
// browsers do. The trailing dot is removed here, since tldts would drop it silently.
function lookUp(host: string): ReturnType<typeof parse> {
  return parse(withoutTrailingDot(host), {
    allowPrivateDomains: true,
    extractHostname: false,
    validateHostname: false,
  })
}
