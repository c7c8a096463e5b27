import { pass, type Rule } from '../../rule.ts'
import { toUpgradedPages } from '../../url-fixes.ts'
import { onReadablePoints } from '../subjects.ts'
import { failMiswritten } from './miswritten.ts'

export const plainHttp: Rule = {
  id: 'url/plain-http',
  severity: 'warning',
  title: 'The point uses https, or is on this machine',
  why: 'Over http, anyone along the way can read the cookies that the point carries, httpOnly ones included. Cookies with the Secure attribute are not sent at all.',
  wrong: 'http://www.example.com/service_cookie_transfer/',
  right: 'https://www.example.com/service_cookie_transfer/',
  fix: 'Use https for the point.',
  reference: {
    text: 'RFC 6265bis, the Secure attribute',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.2.5',
  },
  needs: { rules: ['url/invalid'] },
  evaluate: onReadablePoints((point, facts) => {
    const { parsed } = point
    if (parsed.scheme === 'https' || parsed.loopback) return pass
    // Without pages, since https is right even if a page is on http: the page has to move as well.
    const ruling = failMiswritten(
      'Cookies travel unencrypted, and Secure cookies are not sent at all',
      point,
      {
        ...facts,
        pagesBySite: new Map(),
      },
    )
    const pages = toUpgradedPages(parsed, facts)
    return ruling.outcome !== 'fail' || pages === ''
      ? ruling
      : { ...ruling, fix: `${ruling.fix}, and serve the page over https: write ${pages} in "pages"` }
  }),
}
