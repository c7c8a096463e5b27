import { type Fix, ruleOf } from '../../fix.ts'
import { isOwnErrorPage, recogniseFrontEnd } from '../../read/front-end.ts'
import type { LiveFact } from '../../read/live-fact.ts'
import { readOwnRefusal } from '../../read/own-refusal.ts'
import { describeReply, evidenceOf } from '../../read/reply.ts'
import { isChanged, type Variation } from '../../read/variation.ts'
import { fail, type Ruling } from '../../rule.ts'

/** The finding if only some of the answers come from the service. */
export function failVarying(fact: LiveFact, { foreign, asked }: Variation): Ruling {
  const [first] = foreign
  const reply = first?.reply ?? { kind: 'none', cause: 'closed', code: 'closed' }
  const refusal = readOwnRefusal(reply)
  const isPage = reply.kind === 'response' && isOwnErrorPage(reply)
  const who =
    refusal !== undefined
      ? 'continuation-point itself'
      : isPage
        ? `${recogniseFrontEnd(fact)?.title ?? 'the front end'} itself`
        : 'something other than the service'
  const status = reply.kind === 'response' ? reply.status : undefined
  const what = refusal === undefined ? (status ?? describeReply(reply)) : `${status} ${refusal.reason}`
  const questions = foreign.map(({ question }) => `${question.method} (${question.purpose})`)
  const evidence = { sent: [...new Set(questions)].slice(0, 5), ...evidenceOf(reply) }
  if (first !== undefined && isChanged(first, fact)) {
    const isCookie = /cookie|header-size/.test(first.question.purpose)
    const what =
      'One of several servers behind the load balancer changes requests: have each forward them unchanged'
    const fix: Fix = { what, remedy: (advice) => (isCookie ? advice.keepCookie : advice.keepRawPath) }
    const times = `${foreign.length} of ${asked} requests`
    return fail(
      `${times} arrive changed at the service, and as they were sent when sent again`,
      fix,
      evidence,
    )
  }
  const message = `${foreign.length} of ${asked} answers came from ${who}: ${what}`
  return fail(message, chooseFix(fact, status), evidence)
}

function chooseFix(fact: LiveFact, status: number | undefined): Fix {
  const { point } = fact
  if (status === 429 || (status === 503 && recogniseFrontEnd(fact)?.limitsBy503)) {
    return {
      what: `Exempt ${point.path} from the limit, or raise it: a session starts with several requests at once`,
      remedy: (advice) => advice.liftLimits,
    }
  }
  if (status !== undefined && [502, 503, 504].includes(status)) {
    return {
      what: 'Find out in its log which of the servers it forwards to does not answer, and start that one or take it out',
      remedy: (advice) => advice.findNextHop,
    }
  }
  return {
    what: `Have every server behind the load balancer forward ${point.path}: one of them answers by itself`,
    ...ruleOf(fact),
  }
}
