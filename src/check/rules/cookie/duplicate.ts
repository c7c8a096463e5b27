import { fail, pass, type Rule } from '../../rule.ts'
import { onCookies } from '../subjects.ts'

export const duplicate: Rule = {
  id: 'cookie/duplicate',
  severity: 'error',
  title: 'No other cookie has the same name, domain and path',
  why: 'Name, domain and path together identify a cookie, and a browser holds only one of each. A second entry either repeats the first or contradicts it.',
  wrong: 'sid of www.example.com / twice',
  right: 'sid of www.example.com / once',
  fix: 'Remove one of the two.',
  reference: {
    text: 'RFC 6265bis, storage model',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.7',
  },
  evaluate: onCookies(({ duplicateOf }) =>
    duplicateOf === undefined
      ? pass
      : fail('Another entry has the same name, domain and path', 'Remove this entry', {
          first: duplicateOf.config.location.pointer,
        }),
  ),
}
