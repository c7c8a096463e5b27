import { fail, type Rule } from '../../rule.ts'
import { onStorableCookies } from './storable.ts'

export const depends: Rule = {
  id: 'cookie/depends',
  severity: 'info',
  title: 'The scope tells whether the cookie is sent',
  why: "The service's scopes say nothing of Secure and SameSite. Where only plain http points are left, Secure decides; where an https point is called from http pages, SameSite and the browser decide.",
  wrong: '{ "name": "sid", … } and only http points',
  right: '{ "name": "sid", …, "secure": false } as a hint for the checker, or an https point',
  fix: 'Say "secure" and "sameSite" of the cookie, or use https for page and point.',
  reference: {
    text: 'RFC 6265bis, retrieval',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.8.3',
  },
  after: [],
  phase: 'judge',
  evaluate: onStorableCookies('depends', (_scope, { carriage }) =>
    carriage.maybe.some((point) => point.place?.scheme === 'https')
      ? fail(
          'Its https points are called from http pages only: SameSite and the browser decide',
          'Serve the page over https',
        )
      : fail(
          'Only http points receive it, and only without the Secure attribute, which the scope does not tell',
          'Use an https point, or add "secure": false if the server sets it so',
        ),
  ),
}
