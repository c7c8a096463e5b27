import { isMixedContent } from '../../place.ts'
import { onReadablePoints, pass, type Rule } from '../../rule.ts'
import { failMiswritten } from './fail-miswritten.ts'

export const mixedContent: Rule = {
  id: 'url/mixed-content',
  severity: 'error',
  title: 'No https page depends on this point being reached over http',
  why: 'A browser does not let a page on https call a URL on http. The request is blocked before it leaves.',
  wrong: 'page https://www.example.com/, point http://www.example.com/service_cookie_transfer/',
  right: 'page https://www.example.com/, point https://www.example.com/service_cookie_transfer/',
  fix: 'Use https for the point.',
  reference: {
    text: 'Mixed Content, blocking',
    url: 'https://www.w3.org/TR/mixed-content/#should-block-fetch',
  },
  needs: { facts: ['pages'], rules: ['url/invalid', 'url/cross-site'] },
  phase: 'judge',
  evaluate: onReadablePoints((point, facts) => {
    if (!isMixedContent(point.place, facts.pagesBySite)) return pass
    return failMiswritten(
      'Every page of this site is https, and browsers block their calls to http',
      point,
      facts,
    )
  }),
}
