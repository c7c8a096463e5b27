import type { Reply } from '../../../probe/probe.ts'
import { toReplyText } from '../../read/reply-text.ts'
import { toShownText } from '../../read/shown-text.ts'
import { isSubsequence } from '../../read/subsequence.ts'
import { fail, type Ruling } from '../../rule.ts'

/** What became of the Set-Cookie lines that the service sent, where they did not come back one by one as they were. */
export function findLineFault(
  sent: readonly string[],
  arrived: readonly string[],
  reply: Reply,
): Ruling | undefined {
  // Lines that a load balancer adds, before, between or after, are no fault.
  if (isSubsequence(sent, arrived)) return undefined
  const evidence = {
    sent: sent.map(withoutValue),
    arrived: arrived.slice(0, 10).map(withoutValue),
    arrivedLines: arrived.length,
  }
  if (reply.kind === 'none')
    return fail(`Set-Cookie lines do not come back: ${toReplyText(reply)}`, FIX, evidence)
  const joined = arrived.find((line) => sent.filter((each) => line.includes(nameOf(each))).length > 1)
  if (joined !== undefined) {
    return fail(
      'Set-Cookie lines are joined into one',
      'Give every Set-Cookie line back as a line of its own',
      evidence,
    )
  }
  const lost = sent.filter((line) => !arrived.some((each) => each.startsWith(nameOf(line))))
  if (lost.length > 0) {
    const which = lost.length === sent.length ? 'all' : `${lost.length} of ${sent.length}`
    return fail(`Set-Cookie lines are lost: ${which}`, FIX, evidence)
  }
  const rewritten = sent.find((line) => !arrived.includes(line))
  if (rewritten === undefined)
    return fail('Set-Cookie lines come back in another order or number', FIX, evidence)
  return fail(
    'Set-Cookie lines are rewritten',
    'Leave Path, Domain and the other attributes as the service sent them. nginx: no proxy_cookie_path, proxy_cookie_domain or proxy_cookie_flags; Apache: no ProxyPassReverseCookiePath',
    evidence,
  )
}

/** Name and attributes of a line; a value is nobody's business. */
export function withoutValue(line: string): string {
  return toShownText(line.replace(/=[^;]*/, '=…'))
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf('=') + 1)
}

const FIX =
  'Give every Set-Cookie line back as it came: keep the point out of caches and out of rules that hide or rewrite headers (nginx: no proxy_hide_header Set-Cookie)'
