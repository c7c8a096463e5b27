import { recogniseFrontEnd } from '../../read/front-end.ts'
import { type LiveFact, observationsFor, verificationReply } from '../../read/live-fact.ts'
import { FORGED, type Purpose } from '../../read/question.ts'
import { toShownText } from '../../read/shown-text.ts'
import { readStandIn } from '../../read/stand-in-report.ts'
import { withRemedy } from '../../remedy.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { onLivePoints } from '../subjects.ts'
import { judgeFieldByAnswer, type OwnField } from './judge-field.ts'
import { toOriginField } from './remedies.ts'

export const origin: Rule = {
  id: 'live/origin',
  severity: 'error',
  title: "X-Continuation-Origin arrives once, with the point's origin",
  why: 'This field tells the service which site the cookies belong to. A different scheme, host or port is a different origin, and a value taken from the visitor can be forged by anyone.',
  wrong: 'X-Continuation-Origin: http://www.example.com behind a TLS terminator, for a point on https',
  right: 'X-Continuation-Origin: https://www.example.com',
  fix: 'Set the field to the scheme, host and non-standard port that the browser shows, and replace whatever the client sent.',
  remedy: toOriginField('https://www.example.com'),
  reference: {
    text: 'HTML Standard, serialization of an origin',
    url: 'https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin',
  },
  needs: { rules: ['live/forwarded'] },
  evaluate: onLivePoints(judge),
}

function judge(fact: LiveFact): Ruling {
  const answers = observationsFor(fact, 'verification', 'forged')
  for (const { question, reply } of answers) {
    const received = readStandIn(reply)?.received
    if (received === undefined) continue
    const ruling = judgeLines(fact, received.continuationOrigins, question.purpose)
    if (ruling !== undefined) return ruling
  }
  return readStandIn(verificationReply(fact)) === undefined ? judgeFieldByAnswer(fact, toField(fact)) : pass
}

function judgeLines(fact: LiveFact, lines: readonly string[], purpose: Purpose): Ruling | undefined {
  const { origin: expected } = fact.point
  if (lines.length === 1 && lines[0] === expected) return undefined
  const evidence = {
    expected,
    arrived: lines.slice(0, 5).map(toShownText),
    asked: purpose === 'forged' ? 'with forged fields' : 'plainly',
  }
  const message = toMessage(expected, lines)
  return fail(message, toFix(fact), evidence)
}

function toMessage(expected: string, lines: readonly string[]): string {
  const [line = ''] = lines
  if (lines.length === 0) return 'X-Continuation-Origin does not arrive at the service'
  if (lines.some((each) => each.includes(FORGED.origin))) {
    return 'X-Continuation-Origin is passed on as the client sends it: anyone can claim to be your site'
  }
  if (lines.length > 1) return `X-Continuation-Origin arrives ${lines.length} times`
  return `X-Continuation-Origin is ${toShownText(line)}, not ${expected}`
}

function toField(fact: LiveFact): OwnField {
  return { box: 'origin', wrong: 'wrongOrigin', name: 'origin', fix: toFix(fact) }
}

function toFix(fact: LiveFact): string {
  const { origin: expected } = fact.point
  return withRemedy(
    `Set X-Continuation-Origin: ${expected} at the front end, replacing whatever the client sent`,
    toOriginField(expected),
    recogniseFrontEnd(fact),
  )
}
