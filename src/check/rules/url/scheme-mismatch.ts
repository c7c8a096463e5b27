import { isSchemeMismatch } from '../../parsed-url.ts'
import { fail, pass, type Rule } from '../../rule.ts'
import { toUpgradedPages } from '../../url-fixes.ts'
import { onReadablePoints } from '../subjects.ts'
import { failMiswritten } from './miswritten.ts'

export const schemeMismatch: Rule = {
  id: 'url/scheme-mismatch',
  severity: 'warning',
  title: 'A page with the same scheme can use the point',
  why: 'Chrome and Edge treat the scheme as part of the site. To them, an https point is cross-site to an http page, and cookies with SameSite Lax or Strict (Lax is their default) are not sent. Safari and Firefox send them.',
  wrong: 'page http://www.example.com/, point https://www.example.com/service_cookie_transfer/',
  right: 'page https://www.example.com/, point https://www.example.com/service_cookie_transfer/',
  fix: 'Serve page and point over the same scheme, https.',
  reference: {
    text: 'RFC 6265bis, same-site requests',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.2',
  },
  needs: { facts: ['pages'], rules: ['url/invalid', 'url/cross-site'] },
  evaluate: onReadablePoints((point, facts) => {
    const { parsed } = point
    if (!isSchemeMismatch(parsed, facts.pagesBySite)) return pass
    if (parsed.scheme === 'http') {
      return failMiswritten(
        'Every page on this site is https: to Chrome and Edge the http point is cross-site, and they hold SameSite cookies back',
        point,
        facts,
      )
    }
    return fail(
      'Every page on this site is http: to Chrome and Edge the https point is cross-site, and they hold SameSite cookies back',
      `Serve the page over https: write ${toUpgradedPages(parsed, facts)} in "pages"`,
    )
  }),
}
