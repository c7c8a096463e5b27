import { canParseUrl } from '../../http/can-parse-url.ts'
import { type Fields, valuesOf } from '../../http/fields.ts'
import type { Expectation } from './case.ts'
import type { CaseResponse, Play } from './play.ts'
import { difference, lineDifference, noReply, shown } from './seen.ts'

/** Status and body of the service's response arrive completely. */
export const returnsAnswer: Expectation = {
  expected: 'status and body of the service come back, octet for octet',
  judge: onReply((reply, { answer, sent }) => {
    if (reply.status !== answer.status) return `status ${reply.status} instead of ${answer.status}`
    if (reply.end === 'cut') return 'an answer that broke off'
    const isBodiless = sent.method === 'HEAD' || answer.status === 204 || answer.status === 304
    return difference(reply.body, isBodiless ? '' : answer.body)
  }),
}

/** A response field arrives in as many lines as the service sent, values unchanged, in order. */
export function returns(name: string): Expectation {
  return {
    expected: `every ${name} line comes back unchanged, in order`,
    judge: onReply(({ fields }, { answer }) =>
      lineDifference(valuesOf(fields, name.toLowerCase()), valuesOf(answer.fields, name.toLowerCase())),
    ),
  }
}

/** The list members that the service sent arrive first; a hop may add its own. */
export function returnsAmong(name: string): Expectation {
  return {
    expected: `the ${name} of the service comes back`,
    judge: onReply(({ fields }, { answer }) => {
      const seen = valuesOf(fields, name.toLowerCase()).join(', ')
      const expected = valuesOf(answer.fields, name.toLowerCase()).join(', ')
      return seen.startsWith(expected) ? undefined : `${name} ${shown(seen)}`
    }),
  }
}

/** No line of the service's field arrives; the point may set its own. */
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

/** The response must not be storable by a cache. */
export const returnsUncacheable: Expectation = {
  expected: 'Cache-Control comes back with no-store or private',
  judge: onReply(({ fields }) => {
    const value = valuesOf(fields, 'cache-control').join(', ')
    return /\b(?:no-store|private)\b/i.test(value) ? undefined : `Cache-Control ${shown(value)}`
  }),
}

/** Only fields that the service sent arrive, and those that any hop sets. */
export const returnsNothingMore: Expectation = {
  expected: 'no field comes back that the service did not send, but for framing, Date, Cache-Control and Via',
  judge: onReply(({ fields }, { answer }) => {
    const sent = new Set(namesOf(answer.fields))
    const added = namesOf(fields).filter((name) => !sent.has(name) && !OF_THE_HOP.has(name))
    return added.length === 0 ? undefined : `${added.toSorted().map(shown).join(', ')} added`
  }),
}

/** Content-Length arrives as the service sent it. */
export const returnsLength: Expectation = {
  expected: 'Content-Length comes back as the service sent it',
  judge: onReply(({ fields }, { answer }) =>
    lineDifference(valuesOf(fields, 'content-length'), [String(answer.body.length)]),
  ),
}

/** The reason phrase arrives. */
export const returnsReason: Expectation = {
  expected: "the service's reason phrase comes back",
  judge: onReply(({ reason }, { answer }) =>
    reason === answer.reason ? undefined : `the reason ${shown(reason)}`,
  ),
}

/** A response field arrives with its case kept. */
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

/** The point itself answers with this media type. */
export function answersAs(mediaType: string): Expectation {
  return {
    expected: `Content-Type is ${mediaType}`,
    judge: onReply(({ fields }) => {
      const [type = ''] = valuesOf(fields, 'content-type').join().split(';')
      return type.trim().toLowerCase() === mediaType ? undefined : `Content-Type ${shown(type)}`
    }),
  }
}

/** The point itself redirects to this location, relative to the URL of the request, without the service. */
export function redirectsTo(path: string): Expectation {
  return {
    expected: `the point redirects to its own URL with ${path}`,
    judge: onReply(({ status, fields }, { arrivals, stage }) => {
      if (arrivals.length > 0) return 'the request reached the service'
      if (![301, 302, 307, 308].includes(status)) return `status ${status}`
      const location = valuesOf(fields, 'location')[0] ?? ''
      const url = canParseUrl(location, stage.point) ? new URL(location, stage.point).href : ''
      return url === `${stage.point}${path}` ? undefined : 'another Location'
    }),
  }
}

/** A truncated response is recognisable as such. */
export const breaksOff: Expectation = {
  expected: 'the answer breaks off, or is an error of the point',
  judge: ({ reply }) => {
    if (reply.kind === 'none' || reply.end === 'cut') return undefined
    return reply.status >= 500 ? undefined : 'an answer that looks whole'
  },
}

/** What the case's manner is about happened. */
export function happened(expected: string, otherwise: string): Expectation {
  return { expected, judge: (play) => (play.happened ? undefined : otherwise) }
}

function namesOf(fields: Fields): readonly string[] {
  return fields.filter((_text, at) => at % 2 === 0).map((name) => name.toLowerCase())
}

const OF_THE_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length'],
  ...['date', 'cache-control', 'via'],
])

function onReply(
  judge: (reply: Extract<CaseResponse, { kind: 'answer' }>, play: Play) => string | undefined,
): Expectation['judge'] {
  return (play) => (play.reply.kind === 'none' ? noReply(play.reply.code) : judge(play.reply, play))
}
