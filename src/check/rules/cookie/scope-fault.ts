import type { CookieConfig } from '../../../config/config.ts'
import type { ScopeFaultKind } from '../../../site/cookie-scope.ts'
import { fail, onCookies, pass, type Rule } from '../../rule.ts'

/** Fails every cookie that has this fault; `what` says what the fault means to a browser. */
export function onScopeFaults(
  kind: ScopeFaultKind,
  what: string,
  toFix: (config: CookieConfig) => string,
): Rule['evaluate'] {
  return onCookies(({ config, judged }) => {
    const fault = judged.faults.find((each) => each.kind === kind)
    return fault === undefined ? pass : fail(`${what}: ${fault.reason}`, toFix(config))
  })
}
