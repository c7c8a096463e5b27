import type { CookieScope } from '../../../site/cookie-scope.ts'
import type { Facts } from '../../facts.ts'
import { fail, type Rule } from '../../rule.ts'
import { findMissingUrl } from '../../suggest-points.ts'
import { toAdding } from '../../url-fixes.ts'
import { onStorableCookies } from '../subjects.ts'

export const insecureOnly: Rule = {
  id: 'cookie/insecure-only',
  severity: 'error',
  title: 'A Secure cookie has an https point',
  why: 'A cookie that is Secure, by its attribute or by its name, is sent only over https (and to this machine). Points on http never receive it.',
  wrong: 'cookie __Host-sid, the only point http://www.example.com/service_cookie_transfer/',
  right: 'cookie __Host-sid, a point https://www.example.com/service_cookie_transfer/',
  fix: 'Add the https URL.',
  reference: {
    text: 'RFC 6265bis, retrieval',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.8.3',
  },
  evaluate: onStorableCookies('insecure', (scope, _cookie, facts) =>
    fail('The cookie is Secure, and only http points could receive it', toFix(scope, facts)),
  ),
}

function toFix(scope: CookieScope, facts: Facts): string {
  const url = findMissingUrl(scope, facts)
  return url === undefined ? 'Remove the cookie from "cookies"' : toAdding(url, facts)
}
