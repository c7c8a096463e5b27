import { recogniseFrontEnd } from '../../read/front-end.ts'
import { exchangesFor, type LiveFact, verificationReply } from '../../read/live-fact.ts'
import type { Purpose } from '../../read/question.ts'
import { readStandIn } from '../../read/stand-in-answer.ts'
import { withRemedy } from '../../remedy.ts'
import { fail, pass, type Rule, type Ruling } from '../../rule.ts'
import { judgeFieldByAnswer, type OwnField } from './judge-field.ts'
import { onLivePoints } from './on-live-points.ts'
import { KEY_FIELD } from './remedies.ts'

export const widgetKey: Rule = {
  id: 'live/widget-key',
  severity: 'error',
  title: 'X-Widget-Key arrives once, with the key of the config, which the service knows',
  why: 'The service finds the account by this key. It must come from the front end: a key that a visitor sends along takes the cookies to another account.',
  wrong: 'the REST key in place of the widget key, or the field added to the one that the client sent',
  right: 'X-Widget-Key with the key that stands in the widget code',
  fix: 'Set the field to the widget key of the integration panel, and replace what came in.',
  remedy: KEY_FIELD,
  reference: undefined,
  needs: { rules: ['live/forwarded'] },
  phase: 'judge',
  evaluate: onLivePoints(judge),
}

function judge(fact: LiveFact): Ruling {
  for (const { question, reply } of exchangesFor(fact, 'verification', 'forged')) {
    const received = readStandIn(reply)?.received
    if (received === undefined) continue
    const message = findFault(received.widgetKey, question.purpose)
    if (message !== undefined) return fail(message, toFix(fact), { lines: received.widgetKey.lines })
    if (question.purpose === 'verification' && isOther(received.widgetKeySha256, fact)) {
      return fail(
        "The widget key that arrives is another one than the config's: the cookies go to that account",
        toFix(fact),
        { lines: received.widgetKey.lines },
      )
    }
  }
  return readStandIn(verificationReply(fact)) === undefined
    ? judgeFieldByAnswer(fact, { ...FIELD, fix: toFix(fact) })
    : pass
}

/** Both are known, and differ. */
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
      ? 'X-Widget-Key of the client is passed on beside that of the front end'
      : `X-Widget-Key arrives ${lines} times`
  }
  if (known) return undefined
  return purpose === 'forged'
    ? 'X-Widget-Key is passed on as the client sends it: anybody can name another account'
    : 'The service does not know the widget key that arrives'
}

function toFix(fact: LiveFact): string {
  return withRemedy(
    'Set X-Widget-Key to the key in the widget code at the front end, replacing what came in',
    KEY_FIELD,
    recogniseFrontEnd(fact),
  )
}

const FIELD: Omit<OwnField, 'fix'> = { box: 'widget-key', wrong: 'wrongKey', name: 'widget key' }
