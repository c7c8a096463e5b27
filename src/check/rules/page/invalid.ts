import { fail, pass, type Rule } from '../../rule.ts'
import { toNearestUrl } from '../../url-fixes.ts'
import { onPages } from '../subjects.ts'

export const invalid: Rule = {
  id: 'page/invalid',
  severity: 'error',
  title: 'The page is an absolute http or https URL',
  why: 'Pages say where sessions start. A URL that no page can have gives neither a site nor an origin.',
  wrong: 'www.example.com',
  right: 'https://www.example.com/',
  fix: 'Write the page with its scheme and host, without credentials.',
  reference: { text: 'URL Standard, URL writing', url: 'https://url.spec.whatwg.org/#url-writing' },
  evaluate: onPages(({ fault, shown }) => {
    if (fault === undefined) return pass
    const meant = toNearestUrl(shown)
    const fix = meant === undefined ? 'Write it as https://HOST/, without credentials' : `Write ${meant}`
    return fail(`This can't be the URL of a page: ${fault}`, fix)
  }),
}
