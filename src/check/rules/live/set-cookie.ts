import { canParseUrl } from '../../../http/can-parse-url.ts'
import { valuesOf } from '../../../http/fields.ts'
import type { ProbeReply } from '../../../probe/probe.ts'
import { recogniseFrontEnd } from '../../read/front-end.ts'
import { type LiveFact, type Observation, observationsFor, verificationReply } from '../../read/live-fact.ts'
import { redirectLocation } from '../../read/redirect.ts'
import { isConclusive, toReplyText } from '../../read/reply-text.ts'
import { readStandIn, STAND_IN } from '../../read/stand-in-report.ts'
import { inconclusive, pass, type Rule, type Ruling } from '../../rule.ts'
import { rfc } from '../../specifications.ts'
import { onLivePoints } from '../../subjects.ts'
import { findCookieLineFault, findLineFault, withoutValue } from './cookie-faults.ts'
import { FIELD_RULES } from './own-fields.ts'
import { SET_COOKIE } from './remedies.ts'

export const setCookie: Rule = {
  id: 'live/set-cookie',
  severity: 'error',
  title: 'Cookies pass both ways as they were sent, line by line',
  why: "The site finds its cookies again only if every line arrives as it was sent. Set-Cookie lines that were joined can't be separated, because their dates contain commas, and a rewritten Path or Domain puts a cookie where the site doesn't look for it.",
  wrong:
    'nginx: proxy_cookie_path / /service_cookie_transfer/; or a CDN that takes Set-Cookie off answers that it may store',
  right: 'no proxy_cookie_path, no proxy_cookie_domain, no header rule for Set-Cookie or Cookie',
  fix: "Don't touch Set-Cookie and Cookie on the way, and keep the point out of every cache.",
  remedy: SET_COOKIE,
  reference: rfc(9110, '5.3', 'field order and Set-Cookie'),
  needs: { rules: ['live/forwarded'], comparison: FIELD_RULES, answers: ['set-cookie', 'cookie'] },
  evaluate: onLivePoints((fact) => {
    if (readStandIn(verificationReply(fact)) === undefined) return judgeByComparison(fact)
    const observations = observationsFor(fact, 'set-cookie', 'cookie')
    return (
      findCookieLineFault(observationsFor(fact, 'cookie')[0], recogniseFrontEnd(fact)) ??
      judgeLines(fact) ??
      toInconclusive(observations) ??
      pass
    )
  }),
}

function judgeLines(fact: LiveFact): Ruling | undefined {
  for (const { question, reply } of observationsFor(fact, 'set-cookie', 'redirect')) {
    const isRedirect = question.purpose === 'redirect'
    // live/redirect reports a redirect that is missing or not the service's.
    if (isRedirect && (redirectLocation(reply) === undefined || readStandIn(reply) === undefined)) continue
    if (!isConclusive(reply)) continue
    const sent = isRedirect ? STAND_IN.redirectSetCookie : STAND_IN.setCookie(serviceHostOf(fact, reply))
    const arrived = reply.kind === 'response' ? valuesOf(reply.fields, 'set-cookie') : []
    const fault = findLineFault(sent, arrived, reply, recogniseFrontEnd(fact))
    if (fault !== undefined) return fault
  }
  return undefined
}

function serviceHostOf({ serviceAuthority }: LiveFact, reply: ProbeReply): string {
  const url = `http://${readStandIn(reply)?.received.host ?? serviceAuthority}`
  return canParseUrl(url) ? new URL(url).hostname : ''
}

function judgeByComparison(fact: LiveFact): Ruling {
  const { direct } = fact
  const reply = verificationReply(fact)
  const own = direct.kind === 'asked' && direct.right.kind === 'response' ? direct.right : undefined
  const sent = own === undefined ? [] : valuesOf(own.fields, 'set-cookie').map(withoutValue)
  if (sent.length === 0 || reply?.kind !== 'response') {
    return inconclusive(
      'The service set no cookie to test with: try the point against continuation-point sandbox, which sets five',
    )
  }
  return (
    findLineFault(
      sent,
      valuesOf(reply.fields, 'set-cookie').map(withoutValue),
      reply,
      recogniseFrontEnd(fact),
    ) ?? pass
  )
}

function toInconclusive(observations: readonly Observation[]): Ruling | undefined {
  const unclear = observations.find(({ reply }) => !isConclusive(reply))
  if (unclear === undefined && observations.length > 0) return undefined
  const why = unclear === undefined ? 'nothing was asked' : toReplyText(unclear.reply)
  return inconclusive(`Cookies could not be tested: ${why}`)
}
