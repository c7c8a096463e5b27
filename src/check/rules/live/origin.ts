import { isAlike } from '../../live/likeness.ts'
import { exchangesFor, type LiveFact, verificationReply } from '../../live/live-fact.ts'
import { onLivePoints, type Step, URL_RULES } from '../../live/on-live-points.ts'
import { FORGED } from '../../live/question.ts'
import { toShownText } from '../../live/shown-text.ts'
import { readStandIn } from '../../live/stand-in-answer.ts'
import { readMarks } from '../../live/verification-marks.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { SERVICE_STEPS } from './forwarded.ts'

/** The service learns the point's origin from the front end, and from nobody else. */
export const originStep: Step = {
  id: 'live/origin',
  judge(fact) {
    const answers = exchangesFor(fact, 'verification', 'forged')
    for (const { question, reply } of answers) {
      const received = readStandIn(reply)?.received
      if (received === undefined) continue
      const ruling = judgeLines(fact, received.continuationOrigins, question.purpose === 'forged')
      if (ruling !== undefined) return ruling
    }
    return readStandIn(verificationReply(fact)) === undefined ? judgeByAnswer(fact) : pass
  },
}

export const origin: Rule = {
  id: originStep.id,
  severity: 'error',
  title: "X-Continuation-Origin arrives once, with the point's origin",
  why: 'The service knows by this field on which site the cookies belong. Another scheme, host or port is another origin, and a value that comes from the visitor is forged by whoever likes.',
  wrong: 'X-Continuation-Origin: http://www.example.com behind a TLS terminator, for a point on https',
  right: 'X-Continuation-Origin: https://www.example.com',
  fix: 'Set the field to the scheme, host and non-standard port that the browser shows, and replace what came in.',
  reference: {
    text: 'HTML Standard, serialization of an origin',
    url: 'https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin',
  },
  after: URL_RULES,
  phase: 'judge',
  evaluate: onLivePoints(originStep.judge, SERVICE_STEPS),
}

function judgeLines(fact: LiveFact, lines: readonly string[], isForged: boolean): Ruling | undefined {
  const { origin: expected } = fact.point
  if (lines.length === 1 && lines[0] === expected) return undefined
  const evidence = {
    expected,
    received: lines.slice(0, 5).map(toShownText),
    asked: isForged ? 'forged' : 'plain',
  }
  const message = toMessage(expected, lines)
  return fail(message, toFix(expected), evidence)
}

function toMessage(expected: string, lines: readonly string[]): string {
  const [line = ''] = lines
  if (lines.length === 0) return 'X-Continuation-Origin does not arrive at the service'
  if (lines.some((each) => each.includes(FORGED.origin))) {
    return 'X-Continuation-Origin is passed on as the client sends it: anybody can claim to be your site'
  }
  if (lines.length > 1) return `X-Continuation-Origin arrives ${lines.length} times`
  return `X-Continuation-Origin is ${toShownText(line)}, not ${expected}`
}

function judgeByAnswer(fact: LiveFact): Ruling {
  const reply = verificationReply(fact)
  const box = readMarks(reply)?.get('origin')
  if (box === 'fail')
    return fail('The verification page says that the origin is wrong', toFix(fact.point.origin))
  if (box === 'pass') return pass
  const { direct } = fact
  if (direct.kind === 'not-asked' || reply === undefined) return toUntold()
  const { right, wrongOrigin, bare } = direct
  if (isAlike(right, wrongOrigin)) return toUntold()
  if (isAlike(right, reply)) return pass
  if (isAlike(wrongOrigin, reply) || isAlike(bare, reply)) {
    return fail('The service answers as it does to a wrong origin', toFix(fact.point.origin))
  }
  return toUntold()
}

function toUntold(): Ruling {
  const message =
    'The answer of the service does not tell which origin arrived: open the point in a browser, its verification page does'
  return { outcome: 'inconclusive', message }
}

function toFix(expected: string): string {
  return `Set X-Continuation-Origin: ${expected} at the front end, replacing what came in. nginx: proxy_set_header X-Continuation-Origin ${expected}; Apache: RequestHeader set; HAProxy: http-request set-header`
}
