import type { CookieConfig } from '../config/config.ts'
import { type JudgedScope, judgeScope } from '../site/cookie-scope.ts'

/**
 * Judges a scope together with the hint that only the checker has, its SameSite attribute: a cookie with SameSite=None
 * is Secure, since no browser stores another.
 */
export function judgeCookie(config: CookieConfig): JudgedScope {
  const judged = judgeScope(config)
  if (isInsecureNone(config)) return { ...judged, scope: undefined }
  if (config.sameSite !== 'None' || judged.scope === undefined) return judged
  return { ...judged, scope: { ...judged.scope, secure: true } }
}

/** SameSite=None without Secure: RFC 6265bis section 5.7 drops such a cookie. */
export function isInsecureNone({ sameSite, secure }: CookieConfig): boolean {
  return sameSite === 'None' && secure === false
}
