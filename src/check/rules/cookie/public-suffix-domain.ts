import type { Rule } from '../../rule.ts'
import { onScopeFaults } from '../subjects.ts'

export const publicSuffixDomain: Rule = {
  id: 'cookie/public-suffix-domain',
  severity: 'error',
  title: 'The domain is not a public suffix',
  why: 'Browsers refuse a domain cookie for a public suffix (the private section of the list included), because every site below it would share it. If the suffix itself sets one, it becomes host-only.',
  wrong: '{ "domain": ".github.io", … }',
  right: '{ "domain": ".shop.github.io", … }',
  fix: 'Name the domain of your own site, or drop the dot for a host-only cookie.',
  reference: {
    text: 'RFC 6265bis, storage model',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.7',
  },
  evaluate: onScopeFaults(
    'public-suffix',
    'Browsers refuse a domain cookie for a public suffix',
    ({ domain }) =>
      `Write "domain": "${domain.slice(1)}" if the cookie is host-only, else the domain of your own site`,
  ),
}
