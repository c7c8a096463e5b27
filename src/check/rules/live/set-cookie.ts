import { valuesOf } from '../../../http/fields.ts'
import { parseUrl } from '../../../http/url.ts'
import { count, shorten } from '../../../text/prose.ts'
import type { Fix } from '../../fix.ts'
import { explainUnclear, readContrasts } from '../../read/contrast.ts'
import type { LiveFact, Observation, Question, Reply } from '../../read/live-fact.ts'
import {
  isVouched,
  observationsFor,
  standInOf,
  verificationReply,
  vouchedOf,
} from '../../read/observations.ts'
import { redirectLocation } from '../../read/redirect.ts'
import {
  describeReply,
  escapeAndCut,
  evidenceOf,
  isConclusive,
  valuesIn,
  withoutCookieValue,
} from '../../read/reply.ts'
import { STAND_IN } from '../../read/stand-in.ts'
import { arrivesAsSent, isSubsequence, measureCookies } from '../../read/stand-in-report.ts'
import { cite, fail, inconclusive, pass, passAs, type RulesById, type Ruling } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'
import { FIELD_RULES } from './own-fields.ts'

export const setCookieRules: RulesById = {
  'live/set-cookie': {
    title: 'Cookies pass both ways as they were sent, line by line',
    why: "The site finds its cookies again only if every line arrives as it was sent. Set-Cookie lines that were joined can't be separated, because their dates contain commas, and a rewritten Path or Domain puts a cookie where the site doesn't look for it.",
    wrong:
      'nginx: proxy_cookie_path / /service_cookie_transfer/; or a CDN that takes Set-Cookie off answers that it may store',
    right: 'no proxy_cookie_path, no proxy_cookie_domain, no header rule for Set-Cookie or Cookie',
    fix: "Don't touch Set-Cookie and Cookie on the way, and keep the point out of every cache.",
    remedy: (advice) => advice.keepSetCookie,
    reference: cite('RFC 9110', '5.3', 'header order and Set-Cookie'),
    needs: { rules: ['live/forwarded'], comparison: FIELD_RULES, answers: ['set-cookie', 'cookie'] },
    evaluate: eachLivePoint((fact) => {
      if (standInOf(fact) === undefined) return isVouched(fact) ? judgeVouched(fact) : judgeByComparison(fact)
      const observations = observationsFor(fact, 'set-cookie', 'cookie')
      return findCookieLineFault(fact) ?? judgeLines(fact) ?? judgeIncomplete(observations) ?? pass
    }),
  },
}

function judgeLines(fact: LiveFact): Ruling | undefined {
  for (const { question, reply } of observationsFor(fact, 'set-cookie', 'redirect')) {
    const isRedirect = question.purpose === 'redirect'
    // live/redirect reports a redirect that is missing or not the service's.
    if (isRedirect && (redirectLocation(reply) === undefined || reply.standIn === undefined)) continue
    if (!isConclusive(reply)) continue
    const sent = isRedirect ? STAND_IN.redirectSetCookie : STAND_IN.setCookie(serviceHostOf(fact, reply))
    const fault = findLineFault(sent, valuesIn(reply, 'set-cookie'), reply)
    if (fault !== undefined) return fault
  }
  return undefined
}

function serviceHostOf({ serviceAuthority }: LiveFact, reply: Reply): string {
  return parseUrl(`http://${reply.standIn?.received.host ?? serviceAuthority}`)?.hostname ?? ''
}

function judgeVouched(fact: LiveFact): Ruling {
  const lines = observationsFor(fact, 'cookie')
  const unclear = judgeIncomplete(lines)
  if (unclear !== undefined) return unclear
  for (const line of lines) {
    const vouched = vouchedOf(line)
    if (vouched === undefined) return failLost(line, String(evidenceOf(line.reply).arrived))
    if (vouched.arrived.cookies === false) return failChanged(line)
  }
  const backs = fact.observations.flatMap((each) => {
    const back = vouchedOf(each)?.setCookies
    return back === undefined ? [] : [{ ...back, reply: each.reply }]
  })
  const changed = backs.find(({ isWhole }) => !isWhole)
  if (changed !== undefined) {
    const { passed, unchanged, reply } = changed
    const changes = `changed or not at all: ${passed - unchanged} of ${passed}`
    const what = unchanged === passed ? 'in a different order' : changes
    return failLines(`Set-Cookie lines come back ${what}`, `lines: ${passed}`, valuesIn(reply, 'set-cookie'))
  }
  return backs.some(({ passed }) => passed > 0)
    ? pass
    : passAs('Cookies arrive as they were sent; the service set none that could be lost on its way back')
}

function judgeByComparison(fact: LiveFact): Ruling {
  const lost = readContrasts(fact, 'cookie').find(({ outcome }) => outcome === 'lost')
  if (lost !== undefined) return failLost(lost.observation, 'the service answers as without cookies')
  const toLines = (reply: Reply | undefined) => valuesIn(reply, 'set-cookie').map(withoutValue)
  const sent = toLines(fact.direct?.right)
  const reply = verificationReply(fact)
  const fault =
    sent.length === 0 || reply?.kind !== 'response' ? undefined : findLineFault(sent, toLines(reply), reply)
  return fault ?? inconclusive(explainUnclear(fact))
}

function judgeIncomplete(observations: readonly Observation[]): Ruling | undefined {
  const unclear = observations.find(({ reply }) => !isConclusive(reply))
  if (unclear === undefined && observations.length > 0) return undefined
  const why = unclear === undefined ? 'nothing was asked' : describeReply(unclear.reply)
  return inconclusive(`Cookies could not be tested: ${why}`)
}

/** The finding if the short Cookie line did not arrive as it was sent. */
function findCookieLineFault(fact: LiveFact): Ruling | undefined {
  const observation = observationsFor(fact, 'cookie').find((each) => arrivesAsSent(each) === false)
  if (observation === undefined) return undefined
  const received = observation.reply.standIn?.received
  if (received?.cookies.length === 0) return failLost(observation, 'no cookie')
  const sent = (valuesOf(observation.question.fields, 'cookie')[0] ?? '').split('; ')
  // The stand-in says the size of each value, and ours differ in it.
  const toText = ({ name, octets }: { readonly name: string; readonly octets: number }) =>
    sent.find((pair) => measureCookies(pair)[0] === `${name}=${octets}`) ?? `${name}=(${octets} bytes)`
  return failChanged(observation, {
    sent: sent.map(escapeAndCut),
    arrived: received && shorten(received.cookies.map((cookie) => escapeAndCut(toText(cookie)))),
  })
}

/** The finding if the Set-Cookie lines of the service did not come back line by line as they were sent. */
function findLineFault(
  sent: readonly string[],
  arrived: readonly string[],
  reply: Reply,
): Ruling | undefined {
  // Lines added by a load balancer, before, between or after, are fine.
  if (isSubsequence(sent, arrived)) return undefined
  const shown = sent.map(withoutValue)
  if (reply.kind === 'none')
    return failLines(`Set-Cookie lines do not come back: ${describeReply(reply)}`, shown, arrived)
  const names = [...new Set(sent.map(nameOf))]
  if (arrived.some((line) => names.filter((name) => hasPair(line, name)).length > 1)) {
    const what = 'Return every Set-Cookie line as a line of its own'
    return failLines('Set-Cookie lines are joined into one', shown, arrived, what)
  }
  const lost = sent.filter((line) => !arrived.some((each) => each.startsWith(nameOf(line))))
  if (lost.length > 0) {
    const which = lost.length === sent.length ? 'all' : `${lost.length} of ${sent.length}`
    return failLines(`Set-Cookie lines are lost: ${which}`, shown, arrived)
  }
  if (sent.every((line) => arrived.includes(line)))
    return failLines('Set-Cookie lines come back in a different order or number', shown, arrived)
  const what = 'Leave Path, Domain and all other attributes unchanged'
  return failLines('Set-Cookie lines are rewritten', shown, arrived, what)
}

/** @param sent lines without values, or how many */
function failLines(
  message: string,
  sent: readonly string[] | string,
  arrived: readonly string[],
  what = FIX,
): Ruling {
  const fix: Fix = { what, remedy: (advice) => advice.keepSetCookie }
  const shown = shorten(arrived.map(withoutValue))
  return fail(message, fix, { sent, arrived: shown, arrivedLines: arrived.length })
}

/** Whether a line, or one of those that it was joined of, begins with this name. */
function hasPair(line: string, name: string): boolean {
  return line.split(/, ?/).some((part) => part.startsWith(name))
}

/** Name and attributes of a line; values are never shown. */
function withoutValue(line: string): string {
  return escapeAndCut(withoutCookieValue(line, () => '…'))
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf('=') + 1)
}

const FIX =
  'Return every Set-Cookie line unchanged: keep the point out of caches and out of rules that hide or rewrite headers'

const FORWARD_LINE: Fix = {
  what: 'Forward the Cookie line unchanged (CDN: forward all cookies)',
  remedy: (advice) => advice.keepCookie,
}

function failLost({ question }: Observation, arrived: string): Ruling {
  const names = (valuesOf(question.fields, 'cookie')[0] ?? '').split('; ').map((pair) => pair.split('=')[0])
  const sent = `${count(names.length, 'cookie')} named ${escapeAndCut(names[0] ?? '')}`
  const message = `The Cookie line${overH2(question)} does not arrive at the service`
  return fail(message, FORWARD_LINE, { sent, arrived })
}

function failChanged({ question }: Observation, evidence = {}): Ruling {
  return fail(
    `The Cookie line${overH2(question)} does not arrive as it was sent`,
    question.protocol === 'h2'
      ? { ...FORWARD_LINE, what: `${FORWARD_LINE.what}: over HTTP/2 it comes in parts, which "; " joins` }
      : FORWARD_LINE,
    evidence,
  )
}

function overH2({ protocol }: Question): string {
  return protocol === 'h2' ? ' of a request over HTTP/2' : ''
}
