import { judgeFieldByAnswer, type OwnField } from '../../live/judge-field.ts'
import { exchangesFor, verificationReply } from '../../live/live-fact.ts'
import { onLivePoints, type Step, URL_RULES } from '../../live/on-live-points.ts'
import type { Purpose } from '../../live/question.ts'
import { readStandIn } from '../../live/stand-in-answer.ts'
import { fail, pass, type Rule } from '../../rule.ts'
import { SERVICE_STEPS } from './forwarded.ts'

/** The front end, and nobody else, gives a key that the service knows. */
export const widgetKeyStep: Step = {
  id: 'live/widget-key',
  judge(fact) {
    for (const { question, reply } of exchangesFor(fact, 'verification', 'forged')) {
      const received = readStandIn(reply)?.received
      if (received === undefined) continue
      const message = findFault(received.widgetKey, question.purpose)
      if (message !== undefined) return fail(message, FIX, { lines: received.widgetKey.lines })
    }
    return readStandIn(verificationReply(fact)) === undefined ? judgeFieldByAnswer(fact, FIELD) : pass
  },
}

export const widgetKey: Rule = {
  id: widgetKeyStep.id,
  severity: 'error',
  title: 'X-Widget-Key arrives once, with a key that the service knows',
  why: 'The service finds the account by this key. It must come from the front end: a key that a visitor sends along takes the cookies to another account.',
  wrong: 'the REST key in place of the widget key, or the field added to the one that the client sent',
  right: 'X-Widget-Key with the key that stands in the widget code',
  fix: 'Set the field to the widget key of the integration panel, and replace what came in.',
  reference: undefined,
  after: URL_RULES,
  phase: 'judge',
  evaluate: onLivePoints(widgetKeyStep.judge, SERVICE_STEPS),
}

function findFault(
  { lines, known }: { readonly lines: number; readonly known: boolean },
  purpose: Purpose,
): string | undefined {
  if (lines === 0) return 'X-Widget-Key does not arrive at the service'
  if (lines > 1) {
    return purpose === 'forged'
      ? 'X-Widget-Key of the client is passed on beside that of the front end'
      : `X-Widget-Key arrives ${lines} times`
  }
  if (known) return undefined
  return purpose === 'forged'
    ? 'X-Widget-Key is passed on as the client sends it: anybody can name another account'
    : 'The service does not know the widget key that arrives'
}

const FIX =
  'Set X-Widget-Key to the key in the widget code at the front end, replacing what came in. nginx: proxy_set_header X-Widget-Key <WIDGET_KEY>; Apache: RequestHeader set; HAProxy: http-request set-header'

const FIELD: OwnField = { box: 'widget-key', wrong: 'wrongKey', name: 'widget key', fix: FIX }
