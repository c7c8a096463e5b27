import { type Fields, valuesOf } from '../../../../src/http/fields.ts'
import { parseUrl } from '../../../../src/http/url.ts'
import type { Expectation } from './case.ts'
import type { CaseResponse, CaseRun } from './run.ts'
import { describeReply, difference, lineDifference, linesOf, shown } from './seen.ts'

export const returnsResponse = onReply(
  "the service's status and body come back byte for byte",
  (reply, { response, sent }) => {
    if (reply.status !== response.status) return `status ${reply.status} instead of ${response.status}`
    if (reply.end === 'cut') return 'a response that was cut off'
    const isBodiless = sent.method === 'HEAD' || response.status === 204 || response.status === 304
    return difference(reply.body, isBodiless ? '' : response.body)
  },
)

export function returns(name: string): Expectation {
  return onReply(`every ${name} line comes back unchanged, in order`, ({ fields }, { response }) =>
    lineDifference(linesOf(fields, name), linesOf(response.fields, name)),
  )
}

/** The list members that the service sent arrive first; a hop may add its own. */
export function returnsAmong(name: string): Expectation {
  return onReply(`the service's ${name} comes back`, ({ fields }, { response }) => {
    const seen = linesOf(fields, name).join(', ')
    const expected = linesOf(response.fields, name).join(', ')
    return seen.startsWith(expected) ? undefined : `${name} ${shown(seen)}`
  })
}

/** No line of the service's field arrives; the point may set its own. */
export function returnsWithout(name: string): Expectation {
  return onReply(`the service's ${name} does not come back`, ({ fields }, { response }) => {
    const values = linesOf(response.fields, name)
    return linesOf(fields, name).some((value) => values.includes(value)) ? "the service's line" : undefined
  })
}

export const returnsUncacheable = onReply(
  'Cache-Control comes back with no-store or private',
  ({ fields }) => {
    const value = valuesOf(fields, 'cache-control').join(', ')
    return /\b(?:no-store|private)\b/i.test(value) ? undefined : `Cache-Control ${shown(value)}`
  },
)

export const returnsNothingMore = onReply(
  'no field comes back that the service did not send, except framing, Date, Cache-Control and Via',
  ({ fields }, { response }) => {
    const sent = new Set(namesOf(response.fields))
    const added = namesOf(fields).filter((name) => !sent.has(name) && !OF_THE_HOP.has(name))
    return added.length === 0 ? undefined : `${added.toSorted().map(shown).join(', ')} added`
  },
)

export const returnsLength = onReply(
  'Content-Length comes back as the service sent it',
  ({ fields }, { response }) =>
    lineDifference(valuesOf(fields, 'content-length'), [String(response.body.length)]),
)

export const returnsReason = onReply("the service's reason phrase comes back", ({ reason }, { response }) =>
  reason === response.reason ? undefined : `the reason phrase ${shown(reason)}`,
)

export function returnsSpelled(name: string): Expectation {
  return onReply(`the field name comes back as ${name}`, ({ fields }) =>
    fields.includes(name) ? undefined : 'different case, or no such field',
  )
}

export function answersItself(...statuses: readonly number[]): Expectation {
  return onReply(`the point answers ${statuses.join(' or ')} itself`, (reply) =>
    statuses.includes(reply.status) ? undefined : describeReply(reply),
  )
}

export function answersAs(mediaType: string): Expectation {
  return onReply(`Content-Type is ${mediaType}`, ({ fields }) => {
    const [type = ''] = valuesOf(fields, 'content-type').join().split(';')
    return type.trim().toLowerCase() === mediaType ? undefined : `Content-Type ${shown(type)}`
  })
}

/** The point itself redirects to this location, relative to the URL of the request, without the service. */
export function redirectsTo(path: string): Expectation {
  return onReply(
    `the point redirects to its own URL with ${path}`,
    ({ status, fields }, { arrivals, facts }) => {
      if (arrivals.length > 0) return 'the request reached the service'
      if (![301, 302, 307, 308].includes(status)) return `status ${status}`
      const location = valuesOf(fields, 'location')[0] ?? ''
      const { url } = facts.point
      const target = parseUrl(location, url)?.href
      return target === `${url}${path}` ? undefined : 'a different Location'
    },
  )
}

export const breaksOff: Expectation = {
  expected: 'the response is cut off, or the point answers with an error',
  judge: ({ reply }) => {
    if (reply.kind === 'none' || reply.end === 'cut') return undefined
    return reply.status >= 500 ? undefined : 'a response that looks complete'
  },
}

export function happened(expected: string, otherwise: string): Expectation {
  return { expected, judge: (run) => (run.happened ? undefined : otherwise) }
}

function namesOf(fields: Fields): readonly string[] {
  return fields.filter((_text, at) => at % 2 === 0).map((name) => name.toLowerCase())
}

const OF_THE_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length'],
  ...['date', 'cache-control', 'via'],
])

function onReply(
  expected: string,
  judge: (reply: Extract<CaseResponse, { kind: 'response' }>, run: CaseRun) => string | undefined,
): Expectation {
  return {
    expected,
    judge: (run) => (run.reply.kind === 'none' ? describeReply(run.reply) : judge(run.reply, run)),
  }
}
