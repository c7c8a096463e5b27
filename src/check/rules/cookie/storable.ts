import type { CookieScope } from '../../../site/cookie-scope.ts'
import type { Carriage, CookieFact, Facts } from '../../facts.ts'
import { onCookies, pass, type Rule, type Ruling, skip } from '../../rule.ts'

/** Judges every cookie that a browser stores and whose way ends with this kind of obstacle; passes the others. */
export function onStorableCookies(
  obstacle: Carriage['kind'],
  judge: (scope: CookieScope, cookie: CookieFact, facts: Facts) => Ruling,
): Rule['evaluate'] {
  return onCookies((cookie, facts) => {
    const { scope } = cookie.judged
    if (scope === undefined) return skip('no browser stores this cookie')
    return cookie.carriage.kind === obstacle ? judge(scope, cookie, facts) : pass
  })
}
