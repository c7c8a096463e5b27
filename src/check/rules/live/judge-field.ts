import { isAlike } from '../../read/likeness.ts'
import { type LiveFact, verificationReply } from '../../read/live-fact.ts'
import { readMarks } from '../../read/verification-marks.ts'
import { fail, inconclusive, pass, type Ruling } from '../../rule.ts'

/** One of the two fields that the front end sets. */
export interface OwnField {
  /** Its box on the verification page. */
  readonly box: 'origin' | 'widget-key'
  /** Which direct reply had this field wrong. */
  readonly wrong: 'wrongOrigin' | 'wrongKey'
  /** For messages. */
  readonly name: string
  readonly fix: string
}

/**
 * Judges a field by the answer of a service that doesn't report what arrived: by the marks of its verification page, else
 * by comparing with its direct answers to a right and a wrong field.
 */
export function judgeFieldByAnswer(fact: LiveFact, { box, wrong, name, fix }: OwnField): Ruling {
  const reply = verificationReply(fact)
  const mark = readMarks(reply)?.get(box)
  if (mark === 'pass') return pass
  if (mark === 'fail') return fail(`The verification page says that the ${name} is wrong`, fix)
  const { direct } = fact
  if (direct.kind === 'asked' && reply !== undefined && !isAlike(direct.right, direct[wrong])) {
    if (isAlike(direct.right, reply)) return pass
    if (isAlike(direct[wrong], reply) || isAlike(direct.bare, reply)) {
      return fail(`The service answers as it would to a wrong ${name}`, fix)
    }
  }
  return inconclusive(
    `The service's answer doesn't show which ${name} arrived: open the point in a browser, its verification page does`,
  )
}

/** The rules of these two fields. If one of them fails, a service may answer differently from its direct answers. */
export const FIELD_RULES = ['live/origin', 'live/widget-key'] as const
