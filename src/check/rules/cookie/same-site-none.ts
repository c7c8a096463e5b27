import type { CookieConfig } from '../../../config/config.ts'
import { isInsecureNone, judgeCookie, toCarriages } from '../../carriage.ts'
import { toCarryingUrl } from '../../carrying-url.ts'
import type { Facts } from '../../facts.ts'
import { fail, pass, type Rule } from '../../rule.ts'
import { toAdding } from '../../url-fixes.ts'
import { onCookies } from '../subjects.ts'

export const sameSiteNone: Rule = {
  id: 'cookie/same-site-none',
  severity: 'error',
  title: 'A cookie with SameSite=None is Secure',
  why: "Browsers drop a cookie that is set with SameSite=None but without Secure, so there is nothing to carry. One of the two hints doesn't match what the server sets.",
  wrong: '{ "name": "sid", …, "sameSite": "None", "secure": false }',
  right: '{ "name": "sid", …, "sameSite": "None", "secure": true }',
  fix: 'Correct "secure" or "sameSite", here or where the server sets the cookie.',
  reference: {
    text: 'RFC 6265bis, storage model',
    url: 'https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-5.7',
  },
  evaluate: onCookies(({ config }, facts) =>
    isInsecureNone(config)
      ? fail('Browsers drop a cookie with SameSite=None that is not Secure', toFix(config, facts))
      : pass,
  ),
}

/** A Secure cookie may need a point that this one did not. */
function toFix(config: CookieConfig, facts: Facts): string {
  const change = 'Write "secure": true, if that is what the server sets, else another "sameSite"'
  const judged = judgeCookie({ ...config, secure: true })
  const [carriage] = toCarriages([judged], facts.points, facts.pagesBySite)
  const url = judged.scope && carriage?.kind !== 'sent' ? toCarryingUrl(judged.scope, facts) : undefined
  return url === undefined ? change : `${change}. ${toAdding(url, facts)}`
}
