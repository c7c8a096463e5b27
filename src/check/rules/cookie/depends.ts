import type { CookieFact, Facts } from '../../facts.ts'
import { isSchemeMismatch } from '../../place.ts'
import { fail, type Rule, type Ruling } from '../../rule.ts'
import { toUpgradedPages } from '../../upgraded-pages.ts'
import { onStorableCookies } from './storable.ts'

export const depends: Rule = {
  id: 'cookie/depends',
  severity: 'info',
  title: 'The scope tells whether the cookie is sent',
  why: "The service's scopes say nothing of Secure and SameSite. Where only plain http points are left, Secure decides; where a point is called only from pages of the other scheme, SameSite, the browser and its settings decide.",
  wrong: '{ "name": "sid", … } and only http points',
  right: '{ "name": "sid", …, "secure": false } as a hint for the checker, or an https point',
  fix: 'Say "secure" of the cookie, or use https for page and point.',
  reference: {
    text: 'RFC 6265bis, retrieval',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.8.3',
  },
  needs: {},
  phase: 'judge',
  evaluate: onStorableCookies('depends', (_scope, cookie, facts) => judge(cookie, facts)),
}

function judge({ carriage }: CookieFact, facts: Facts): Ruling {
  const places = carriage.maybe.flatMap(({ place }) => place ?? [])
  const mismatched = places.find((place) => isSchemeMismatch(place, facts.pagesBySite))
  if (mismatched === undefined) {
    return fail(
      'Only http points receive it, and only without the Secure attribute, which the scope does not tell',
      'Write "secure": false if the server sets it so, else use an https point',
    )
  }
  if (mismatched.scheme === 'http') {
    return fail(
      'Its http points are called from https pages only: SameSite and the browser decide',
      `Write ${mismatched.url.replace(/^http:/, 'https:')} in place of ${mismatched.url} in "points"`,
    )
  }
  return fail(
    'Its https points are called from http pages only: SameSite and the browser decide',
    `Serve the page over https: write ${toUpgradedPages(mismatched, facts)} in "pages"`,
  )
}
