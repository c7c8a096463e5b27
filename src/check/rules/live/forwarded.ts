import { isAddedRedirect } from '../../live/interference.ts'
import { isAlike, isSameKind } from '../../live/likeness.ts'
import { exchangesFor, type LiveFact, verificationReply } from '../../live/live-fact.ts'
import { onLivePoints, type Step, URL_RULES } from '../../live/on-live-points.ts'
import { toReplyEvidence, toReplyText } from '../../live/reply-text.ts'
import { toShownText } from '../../live/shown-text.ts'
import { readStandIn, type StandInAnswer } from '../../live/stand-in-answer.ts'
import { readMarks } from '../../live/verification-marks.ts'
import type { Reply } from '../../probe/probe.ts'
import { because, fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { connectStep } from './connect.ts'
import { dnsStep } from './dns.ts'
import { tlsStep } from './tls.ts'

/** It is the service that answers, as itself and at its continuation end. */
export const forwardedStep: Step = {
  id: 'live/forwarded',
  judge(fact) {
    if (exchangesFor(fact, 'verification').some(isAddedRedirect)) return because('live/redirect')
    const reply = verificationReply(fact)
    if (reply === undefined) return { outcome: 'inconclusive', message: 'The point was not asked' }
    const answer = readStandIn(reply)
    if (answer !== undefined) return judgeStandIn(fact, answer)
    if (readMarks(reply) !== undefined) return pass
    return judgeByComparison(fact, reply)
  },
}

/** What everything that looks at answers of the service waits for. */
export const SERVICE_STEPS: readonly Step[] = [
  dnsStep,
  connectStep,
  tlsStep,
  {
    id: 'live/redirect',
    judge: (fact) =>
      exchangesFor(fact, 'verification').some(isAddedRedirect) ? fail('It meets a redirect', '') : pass,
  },
  forwardedStep,
]

export const forwarded: Rule = {
  id: forwardedStep.id,
  severity: 'error',
  title: 'The service answers at the point',
  why: "The point only carries cookies if its requests come to the service: at the service's own host name, and at its continuation end. A page of the site, an error of the front end or another virtual host answers as politely, and nothing is carried.",
  wrong:
    "a front end that hands its own Host on, or whose rule for the point comes after the site's catch-all",
  right: 'nginx: location ^~ /service_cookie_transfer/ { proxy_set_header Host cobrowse.example.net; … }',
  fix: "Forward everything below the point's path to the service, with the service's own Host.",
  reference: undefined,
  after: URL_RULES,
  phase: 'judge',
  evaluate: onLivePoints(forwardedStep.judge, SERVICE_STEPS.slice(0, -1)),
}

function judgeStandIn(fact: LiveFact, { received }: StandInAnswer): Ruling {
  const { serviceAuthority, servicePath, point } = fact
  const host = toAuthority(received.host)
  const isCustomers = host === toAuthority(point.authority)
  if (serviceAuthority === undefined ? isCustomers : host !== toAuthority(serviceAuthority)) {
    const own = serviceAuthority ?? '<SERVICE_HOST>'
    return fail(
      `The service is asked as ${toShownText(host ?? 'nobody')}${isCustomers ? ', which is the host of the site' : ''}`,
      `Send the service's own Host: ${own}. nginx: proxy_set_header Host ${own}; Apache: ProxyPreserveHost Off`,
      { received: toShownText(received.host ?? ''), expected: own },
    )
  }
  const [path = ''] = received.target.split('?', 1)
  if (path !== servicePath) {
    return fail(
      `The point is forwarded to another path of the service, ${toShownText(path)}`,
      `Forward ${point.path} to ${servicePath}`,
      { received: toShownText(path), expected: servicePath },
    )
  }
  return pass
}

function judgeByComparison(fact: LiveFact, reply: Reply): Ruling {
  const { direct } = fact
  if (reply.kind === 'none' && !['malformed', 'head-too-large'].includes(reply.cause)) {
    const message = `The point could not be observed: ${toReplyText(reply)}. Try again, or from another network`
    return { outcome: 'inconclusive', message }
  }
  if (direct.kind === 'not-asked') {
    const { bare, settle } = direct
    if (bare !== undefined && isAlike(bare, reply)) return judgeAlike(reply)
    if (isNoPage(reply) || readStandIn(bare) !== undefined) return failStranger(fact, reply)
    return {
      outcome: 'inconclusive',
      message: `Whether the service answers can't be told by its answer: ${settle}`,
    }
  }
  const { right, again, wrongOrigin, wrongKey, bare } = direct
  if ([right, wrongOrigin, wrongKey, bare].some((own) => isAlike(own, reply))) return judgeAlike(right)
  if (right.kind === 'none') {
    const message = `The service could not be asked directly, for comparison: ${toReplyText(right)}`
    return { outcome: 'inconclusive', message }
  }
  if (!isAlike(right, again) && isSameKind(right, reply)) {
    const message =
      "The service answers differently each time, so its answer can't be told from another: open the point in a browser, the verification page says who answers"
    return { outcome: 'inconclusive', message }
  }
  return failStranger(fact, reply)
}

/** The service answers as the point does; but where it has no page, any server of its kind would. */
function judgeAlike(own: Reply): Ruling {
  if (!isNoPage(own)) return pass
  const message = `The service itself has no page there (${toReplyText(own)}): see "service.url" and "service.keepCookiePath"`
  return { outcome: 'inconclusive', message }
}

/** The service has a page here (rule 9 of its continuation points), so these can't be its answers. */
function isNoPage(reply: Reply): boolean {
  return reply.kind === 'none' || [404, 405, 410, 421].includes(reply.status) || reply.status > 499
}

function failStranger({ point, serviceAuthority, servicePath }: LiveFact, reply: Reply): Ruling {
  const [to, host] =
    serviceAuthority === undefined
      ? [`${servicePath} of the service`, "the service's own Host"]
      : [`${serviceAuthority}${servicePath}`, `Host ${serviceAuthority}`]
  return fail(
    `Somebody else than the service answers: ${toReplyText(reply)}`,
    `Forward everything below ${point.path} to ${to}, with ${host}, before any other rule of the site`,
    toReplyEvidence(reply),
  )
}

/** For comparison only: no service listens on the default port of the other scheme. */
function toAuthority(text: string | undefined): string | undefined {
  return text?.toLowerCase().replace(/:(?:80|443)$/, '')
}
