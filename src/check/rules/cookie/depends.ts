import type { CookieFact, Facts } from '../../facts.ts'
import { isSchemeMismatch } from '../../parsed-url.ts'
import { fail, type Rule, type Ruling } from '../../rule.ts'
import { toUpgradedPages } from '../../url-fixes.ts'
import { onStorableCookies } from '../subjects.ts'

export const depends: Rule = {
  id: 'cookie/depends',
  severity: 'info',
  title: 'The config shows whether the cookie is sent',
  why: "The service's scopes don't include Secure and SameSite. If only plain http points are left, it depends on Secure; if a point is called only from pages with the other scheme, it depends on SameSite, the browser and its settings.",
  wrong: '{ "name": "sid", … } and only http points',
  right: '{ "name": "sid", …, "secure": false } as a hint for the checker, or an https point',
  fix: 'Write "secure" in the entry of the cookie, or use https for page and point.',
  reference: {
    text: 'RFC 6265bis, retrieval',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.8.3',
  },
  evaluate: onStorableCookies('depends', (_scope, cookie, facts) => judge(cookie, facts)),
}

function judge({ carriage }: CookieFact, facts: Facts): Ruling {
  const parsedUrls = carriage.maybe.flatMap(({ parsed }) => parsed ?? [])
  const mismatched = parsedUrls.find((parsed) => isSchemeMismatch(parsed, facts.pagesBySite))
  if (mismatched === undefined) {
    return fail(
      "Only http points receive it, and only if it isn't Secure, which the config doesn't say",
      'Write "secure": false if the server sets it without Secure, else use an https point',
    )
  }
  if (mismatched.scheme === 'http') {
    return fail(
      'Its http points are called only from https pages: it depends on SameSite and the browser',
      `Write ${mismatched.url.replace(/^http:/, 'https:')} in place of ${mismatched.url} in "points"`,
    )
  }
  return fail(
    'Its https points are called only from http pages: it depends on SameSite and the browser',
    `Serve the page over https: write ${toUpgradedPages(mismatched, facts)} in "pages"`,
  )
}
