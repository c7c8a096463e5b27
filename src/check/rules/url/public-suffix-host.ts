import { isListedPublicSuffix } from '../../../site/site.ts'
import { fail, pass, type Rule } from '../../rule.ts'
import { onReadablePoints } from '../subjects.ts'

export const publicSuffixHost: Rule = {
  id: 'url/public-suffix-host',
  severity: 'error',
  title: 'The host is not a public suffix',
  why: 'Under a public suffix (com, co.uk, but also github.io or a hosting platform) everyone has a site of their own. The suffix itself shares no cookies and no registrable domain with any of them.',
  wrong: 'https://github.io/service_cookie_transfer/',
  right: 'https://shop.github.io/service_cookie_transfer/',
  fix: 'Use the full host name of your site.',
  reference: { text: 'Public Suffix List', url: 'https://publicsuffix.org/list/' },
  needs: { rules: ['url/invalid'] },
  evaluate: onReadablePoints(({ parsed }, { prefix }) =>
    isListedPublicSuffix(parsed.host)
      ? fail(
          `${parsed.host} is a public suffix, not a site`,
          `Use the full host name of the site, as in ${parsed.scheme}://YOUR-SITE.${parsed.host}${prefix}`,
        )
      : pass,
  ),
}
