import { isIpHost, toCanonicalHost } from '../../../http/host.ts'
import type { Rule } from '../../rule.ts'
import { onScopeFaults } from '../subjects.ts'

export const badDomain: Rule = {
  id: 'cookie/bad-domain',
  severity: 'error',
  title: 'The domain is a host name',
  why: "The domain of a scope is a host: with one leading dot if the cookie was set with a Domain attribute, without if it wasn't. Wildcards, ports and schemes have no place there.",
  wrong: '{ "domain": "*.example.com", … }',
  right: '{ "domain": ".example.com", … }',
  fix: 'Write the host alone, with one leading dot if the cookie was set with a Domain attribute.',
  reference: {
    text: 'RFC 6265bis, the Domain attribute',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.6.3',
  },
  evaluate: onScopeFaults(
    'domain',
    'No browser stores a cookie for this domain',
    ({ domain }) => `Write ${toNearestDomain(domain)}`,
  ),
}

// What people paste instead of a host: a wildcard, a URL, a port, too many dots.
function toNearestDomain(domain: string): string {
  const bare = domain
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[/:?#].*$/s, '')
  const host = toCanonicalHost(bare.replace(/^[*.]+/, '').replace(/\.+$/, ''))
  if (host === undefined)
    return 'the host alone, such as "www.example.com", or ".example.com" for a domain cookie'
  return `"domain": "${/^[*.]/.test(bare) && !isIpHost(host) ? '.' : ''}${host}"`
}
