import { isMixedContent } from '../../parsed-url.ts'
import { pass, type Rule } from '../../rule.ts'
import { onReadablePoints } from '../subjects.ts'
import { failMiswritten } from './miswritten.ts'

export const mixedContent: Rule = {
  id: 'url/mixed-content',
  severity: 'error',
  title: 'No https page has to call the point over http',
  why: "A browser doesn't let an https page call an http URL. It blocks the request before sending it.",
  wrong: 'page https://www.example.com/, point http://www.example.com/service_cookie_transfer/',
  right: 'page https://www.example.com/, point https://www.example.com/service_cookie_transfer/',
  fix: 'Use https for the point.',
  reference: {
    text: 'Mixed Content, blocking',
    url: 'https://www.w3.org/TR/mixed-content/#should-block-fetch',
  },
  needs: { facts: ['pages'], rules: ['url/invalid', 'url/cross-site'] },
  evaluate: onReadablePoints((point, facts) => {
    if (!isMixedContent(point.parsed, facts.pagesBySite)) return pass
    return failMiswritten(
      'Every page on this site is https, and browsers block calls from https to http',
      point,
      facts,
    )
  }),
}
