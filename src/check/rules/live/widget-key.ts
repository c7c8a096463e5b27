import { recogniseFrontEnd } from '../../read/front-end.ts'
import { type LiveFact, observationsFor, verificationReply } from '../../read/live-fact.ts'
import type { Purpose } from '../../read/question.ts'
import { readStandIn } from '../../read/stand-in-report.ts'
import { withRemedy } from '../../remedy.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { onLivePoints } from '../subjects.ts'
import { judgeFieldByAnswer, type OwnField } from './judge-field.ts'
import { KEY_FIELD } from './remedies.ts'

export const widgetKey: Rule = {
  id: 'live/widget-key',
  severity: 'error',
  title: 'X-Widget-Key arrives once, with the key of the config, and the service knows it',
  why: 'The service finds the account by this key, so with another key the cookies go to another account, and without one to none. The front end has to set it: a key that a visitor sends must not get through.',
  wrong: 'the REST key in place of the widget key, or the field added to one that the client sent',
  right: 'X-Widget-Key with the key from the widget code',
  fix: 'Set the field to the widget key from the integration panel, and replace whatever the client sent.',
  remedy: KEY_FIELD,
  needs: { rules: ['live/forwarded'] },
  evaluate: onLivePoints(judge),
}

function judge(fact: LiveFact): Ruling {
  for (const { question, reply } of observationsFor(fact, 'verification', 'forged')) {
    const received = readStandIn(reply)?.received
    if (received === undefined) continue
    const message = findFault(received.widgetKey, question.purpose)
    if (message !== undefined) return fail(message, toFix(fact), { lines: received.widgetKey.lines })
    if (question.purpose === 'verification' && isOther(received.widgetKeySha256, fact)) {
      return fail(
        "The widget key that arrives is not the config's, so the cookies go to another account",
        toFix(fact),
        { lines: received.widgetKey.lines },
      )
    }
  }
  return readStandIn(verificationReply(fact)) === undefined
    ? judgeFieldByAnswer(fact, { ...FIELD, fix: toFix(fact) })
    : pass
}

/** Whether both keys are known and differ. */
function isOther(arrived: string | undefined, { widgetKeySha256 }: LiveFact): boolean {
  return arrived !== undefined && widgetKeySha256 !== undefined && arrived !== widgetKeySha256
}

function findFault(
  { lines, known }: { readonly lines: number; readonly known: boolean },
  purpose: Purpose,
): string | undefined {
  if (lines === 0) return 'X-Widget-Key does not arrive at the service'
  if (lines > 1) {
    return purpose === 'forged'
      ? "The client's X-Widget-Key is passed on beside the front end's own"
      : `X-Widget-Key arrives ${lines} times`
  }
  if (known) return undefined
  return purpose === 'forged'
    ? 'X-Widget-Key is passed on as the client sends it: anyone can send the cookies to another account'
    : 'The service does not know the widget key that arrives'
}

function toFix(fact: LiveFact): string {
  return withRemedy(
    'With continuation-point serve, give "widgetKey" the key in the widget code and restart serve; else set X-Widget-Key to it at the front end, replacing whatever the client sent',
    KEY_FIELD,
    recogniseFrontEnd(fact),
  )
}

const FIELD: Omit<OwnField, 'fix'> = { box: 'widget-key', wrong: 'wrongKey', name: 'widget key' }
