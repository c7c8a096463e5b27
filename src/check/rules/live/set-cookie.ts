import { valuesOf } from '../../../http/fields.ts'
import { findInterference, redirectLocation } from '../../live/interference.ts'
import { type Exchange, exchangesFor, type LiveFact, verificationReply } from '../../live/live-fact.ts'
import { onLivePoints, URL_RULES } from '../../live/on-live-points.ts'
import { isTelling, toReplyText } from '../../live/reply-text.ts'
import { toShownText } from '../../live/shown-text.ts'
import { readStandIn, STAND_IN } from '../../live/stand-in-answer.ts'
import type { Reply } from '../../probe/probe.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { SERVICE_STEPS } from './forwarded.ts'

export const setCookie: Rule = {
  id: 'live/set-cookie',
  severity: 'error',
  title: 'Cookies pass both ways as they were sent, line by line',
  why: 'Each Set-Cookie line is a cookie; joined into one line they can not be told apart again, since their dates hold commas. A rewritten Path or Domain puts the cookie where the site never finds it.',
  wrong:
    'nginx: proxy_cookie_path / /service_cookie_transfer/; or a CDN that takes Set-Cookie off answers that it may store',
  right: 'no proxy_cookie_path, no proxy_cookie_domain, no header rule for Set-Cookie or Cookie',
  fix: 'Leave Set-Cookie and Cookie alone on the way, and keep the point out of every cache.',
  reference: {
    text: 'RFC 9110, field order and Set-Cookie',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-5.3',
  },
  after: URL_RULES,
  phase: 'judge',
  evaluate: onLivePoints((fact) => {
    if (readStandIn(verificationReply(fact)) === undefined) return judgeByComparison(fact)
    const exchanges = exchangesFor(fact, 'set-cookie', 'cookie')
    const interference = findInterference(exchanges)
    if (interference !== undefined) return interference
    return judgeLines(fact) ?? judgeCookieLine(exchangesFor(fact, 'cookie')[0]) ?? toUntold(exchanges) ?? pass
  }, SERVICE_STEPS),
}

/** Whether the short Cookie line arrived as it was sent; `undefined` when that could not be told. */
export function arrivesAsSent({ question, reply }: Exchange): boolean | undefined {
  const received = readStandIn(reply)?.received
  if (received === undefined) return isTelling(reply) ? false : undefined
  const sent = toMeasures(valuesOf(question.fields, 'cookie')[0] ?? '')
  const arrived = received.cookies.map(({ name, octets }) => `${name}=${octets}`)
  return isSubsequence(sent, arrived)
}

function judgeLines(fact: LiveFact): Ruling | undefined {
  for (const { question, reply } of exchangesFor(fact, 'set-cookie', 'redirect')) {
    const isRedirect = question.purpose === 'redirect'
    // A redirect that did not come back is live/redirect's finding.
    if (isRedirect && redirectLocation(reply) === undefined) continue
    if (!isTelling(reply)) continue
    const sent = isRedirect ? STAND_IN.redirectSetCookie : STAND_IN.setCookie
    const arrived = reply.kind === 'answer' ? valuesOf(reply.fields, 'set-cookie') : []
    const fault = findLineFault(sent, arrived, reply)
    if (fault !== undefined) return fault
  }
  return undefined
}

function findLineFault(
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

function judgeCookieLine(exchange: Exchange | undefined): Ruling | undefined {
  if (exchange === undefined || arrivesAsSent(exchange) !== false) return undefined
  const received = readStandIn(exchange.reply)?.received
  const fix =
    'Forward the Cookie line as it came. nginx: no proxy_set_header Cookie; CDN: forward all cookies'
  if (received?.cookies.length === 0) return fail('The Cookie line does not arrive at the service', fix)
  return fail('The Cookie line does not arrive as it was sent', fix, {
    sent: toMeasures(valuesOf(exchange.question.fields, 'cookie')[0] ?? '').map(toShownText),
    arrived: received?.cookies.slice(0, 10).map(({ name, octets }) => toShownText(`${name}=${octets}`)),
  })
}

function judgeByComparison(fact: LiveFact): Ruling {
  const { direct } = fact
  const reply = verificationReply(fact)
  const own = direct.kind === 'asked' && direct.right.kind === 'answer' ? direct.right : undefined
  const sent = own === undefined ? [] : valuesOf(own.fields, 'set-cookie').map(withoutValue)
  if (sent.length === 0 || reply?.kind !== 'answer') {
    const message =
      'The service set no cookie to observe: try the point against the sandbox command, which sets four'
    return { outcome: 'inconclusive', message }
  }
  return findLineFault(sent, valuesOf(reply.fields, 'set-cookie').map(withoutValue), reply) ?? pass
}

function toUntold(exchanges: readonly Exchange[]): Ruling | undefined {
  const untold = exchanges.find(({ reply }) => !isTelling(reply))
  if (untold === undefined && exchanges.length > 0) return undefined
  const why = untold === undefined ? 'nothing was asked' : toReplyText(untold.reply)
  return { outcome: 'inconclusive', message: `Cookies could not be observed: ${why}` }
}

function isSubsequence(parts: readonly string[], whole: readonly string[]): boolean {
  let found = 0
  for (const each of whole) if (each === parts[found]) found += 1
  return found === parts.length
}

/** Name and attributes of a line; a value is nobody's business. */
function withoutValue(line: string): string {
  return toShownText(line.replace(/=[^;]*/, '=…'))
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf('=') + 1)
}

/** Each cookie of a line as `name=octets`, the way the stand-in tells what it got. */
function toMeasures(line: string): readonly string[] {
  return line.split('; ').map((pair) => {
    const equals = pair.indexOf('=')
    return `${pair.slice(0, equals)}=${pair.length - equals - 1}`
  })
}

const FIX =
  'Give every Set-Cookie line back as it came: keep the point out of caches and out of rules that hide or rewrite headers (nginx: no proxy_hide_header Set-Cookie)'
