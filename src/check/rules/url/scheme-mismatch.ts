import { isSchemeMismatch } from '../../place.ts'
import { fail, onReadablePoints, pass, type Rule } from '../../rule.ts'
import { toUpgradedPages } from '../../upgraded-pages.ts'
import { failMiswritten } from './fail-miswritten.ts'

export const schemeMismatch: Rule = {
  id: 'url/scheme-mismatch',
  severity: 'warning',
  title: 'A page of the same scheme can use the point',
  why: 'Chrome and Edge count the scheme as part of the site. From a page on http, an https point is cross-site to them, and cookies with SameSite Lax or Strict (Lax is their default) stay behind. Safari and Firefox send them.',
  wrong: 'page http://www.example.com/, point https://www.example.com/service_cookie_transfer/',
  right: 'page https://www.example.com/, point https://www.example.com/service_cookie_transfer/',
  fix: 'Serve page and point over the same scheme, https.',
  reference: {
    text: 'RFC 6265bis, same-site requests',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.2',
  },
  needs: { facts: ['pages'], rules: ['url/invalid', 'url/cross-site'] },
  phase: 'judge',
  evaluate: onReadablePoints((point, facts) => {
    const { place } = point
    if (!isSchemeMismatch(place, facts.pagesBySite)) return pass
    if (place.scheme === 'http') {
      return failMiswritten(
        'Every page of this site is https: Chrome and Edge call the http point cross-site and keep SameSite cookies back',
        point,
        facts,
      )
    }
    return fail(
      'Every page of this site is http: Chrome and Edge call the https point cross-site and keep SameSite cookies back',
      `Serve the page over https: write ${toUpgradedPages(place, facts)} in "pages"`,
    )
  }),
}
