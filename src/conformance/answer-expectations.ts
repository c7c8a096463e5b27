import { valuesOf } from '../http/fields.ts'
import type { Expectation } from './case.ts'
import type { Play, PlayEvent, Reply } from './play.ts'
import { difference, lineDifference, noReply, shown } from './seen.ts'

/** Status and body of the service's answer come back, to the end. */
export const returnsAnswer: Expectation = {
  expected: 'status and body of the service come back, octet for octet',
  judge: onReply((reply, { answer, sent }) => {
    if (reply.status !== answer.status) return `status ${reply.status} instead of ${answer.status}`
    if (reply.end === 'cut') return 'an answer that broke off'
    const isBodiless = sent.method === 'HEAD' || answer.status === 204 || answer.status === 304
    return difference(reply.body, isBodiless ? '' : answer.body)
  }),
}

/** A field comes back in as many lines as the service sent, values unchanged, in order. */
export function returns(name: string): Expectation {
  return {
    expected: `every ${name} line comes back unchanged, in order`,
    judge: onReply(({ fields }, { answer }) =>
      lineDifference(valuesOf(fields, name.toLowerCase()), valuesOf(answer.fields, name.toLowerCase())),
    ),
  }
}

/** No line of the service's field comes back; a line that the point sets itself is its own affair. */
export function returnsWithout(name: string): Expectation {
  return {
    expected: `the service's ${name} does not come back`,
    judge: onReply(({ fields }, { answer }) => {
      const values = valuesOf(answer.fields, name.toLowerCase())
      return valuesOf(fields, name.toLowerCase()).some((value) => values.includes(value))
        ? "the service's line"
        : undefined
    }),
  }
}

/** The answer may not be stored by anybody. */
export const returnsUncacheable: Expectation = {
  expected: 'Cache-Control comes back with no-store or private',
  judge: onReply(({ fields }) => {
    const value = valuesOf(fields, 'cache-control').join(', ')
    return /\b(?:no-store|private)\b/i.test(value) ? undefined : `Cache-Control ${shown(value)}`
  }),
}

/** Content-Length comes back as the service's answer had it. */
export const returnsLength: Expectation = {
  expected: 'Content-Length comes back as the service sent it',
  judge: onReply(({ fields }, { answer }) =>
    lineDifference(valuesOf(fields, 'content-length'), [String(answer.body.length)]),
  ),
}

/** The reason phrase comes back. */
export const returnsReason: Expectation = {
  expected: "the service's reason phrase comes back",
  judge: onReply(({ reason }, { answer }) =>
    reason === answer.reason ? undefined : `the reason ${shown(reason)}`,
  ),
}

/** A field comes back with its case kept. */
export function returnsSpelled(name: string): Expectation {
  return {
    expected: `the field name comes back as ${name}`,
    judge: onReply(({ fields }) =>
      fields.includes(name) ? undefined : 'another spelling, or no such field',
    ),
  }
}

/** The point itself answers with one of these statuses, to the end. */
export function answersItself(...statuses: readonly number[]): Expectation {
  return {
    expected: `the point answers ${statuses.join(' or ')} itself`,
    judge: onReply(({ status }) => (statuses.includes(status) ? undefined : `status ${status}`)),
  }
}

/** A truncated answer is not passed off as a whole one. */
export const breaksOff: Expectation = {
  expected: 'the answer breaks off, or is an error of the point',
  judge: ({ reply }) => {
    if (reply.kind === 'none' || reply.end === 'cut') return undefined
    return reply.status >= 500 ? undefined : 'an answer that looks whole'
  },
}

/** Something happened on the way. */
export function happened(event: PlayEvent, expected: string, otherwise: string): Expectation {
  return { expected, judge: ({ events }) => (events.has(event) ? undefined : otherwise) }
}

function onReply(
  judge: (reply: Extract<Reply, { kind: 'answer' }>, play: Play) => string | undefined,
): Expectation['judge'] {
  return (play) => (play.reply.kind === 'none' ? noReply(play.reply.code) : judge(play.reply, play))
}
