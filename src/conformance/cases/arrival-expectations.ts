import { hasField, isField, valuesOf } from '../../http/fields.ts'
import type { Expectation } from './case.ts'
import type { Arrival, CaseResponse, Play } from './play.ts'
import { difference, lineDifference, noReply, shown, toReplyText } from './seen.ts'

/** The request arrives once, whole, with the method and the raw path and query that were sent. */
export const arrivesAsSent: Expectation = {
  expected: 'the service receives the request once, with the same method, raw path and query',
  judge: onlyArrival(({ method, target, end }, { stage, sent }) => {
    if (end === 'cut') return 'the request broke off before its end'
    if (method !== sent.method) return `the method ${method}`
    const expected = `${stage.root}${sent.path}`
    if (target === expected) return undefined
    const [path = ''] = target.split('?', 1)
    const [expectedPath = ''] = expected.split('?', 1)
    return path === expectedPath
      ? 'another query'
      : `the path ${shown(path)} instead of ${shown(expectedPath)}`
  }),
}

/** Host, X-Widget-Key and X-Continuation-Origin occur once each, with the values of the point (spec 4.9, rules 2 to 4). */
export const ownedFieldsSet: Expectation = {
  expected:
    "Host is the service's, X-Widget-Key and X-Continuation-Origin stand once, with the point's values",
  judge: onlyArrival(({ fields }, { stage }) => {
    const hosts = valuesOf(fields, 'host').map((host) => host.toLowerCase())
    if (hosts.length !== 1 || !stage.serviceAuthorities.includes(hosts[0] ?? '')) {
      return `Host ${hosts.map(shown).join(', ') || 'missing'}`
    }
    const keys = spellingsOf(fields, 'x-widget-key')
    if (keys.length !== 1) return `X-Widget-Key ${keys.length} times, other spellings counted`
    if (keys[0] !== stage.widgetKey) return 'X-Widget-Key with another key'
    const origins = spellingsOf(fields, 'x-continuation-origin')
    if (origins.length !== 1) return `X-Continuation-Origin ${origins.length} times, other spellings counted`
    return origins[0] === stage.origin ? undefined : 'X-Continuation-Origin with another origin'
  }),
}

/** The body arrives unchanged. */
export const bodyArrives: Expectation = {
  expected: 'the body arrives octet for octet',
  judge: onlyArrival(({ body }, { sent }) => difference(body, sent.body)),
}

/** A field arrives in as many lines as were sent, values unchanged. */
export function arrivesWith(name: string): Expectation {
  return {
    expected: `every ${name} line arrives unchanged`,
    judge: onlyArrival(({ fields }, { sent }) =>
      lineDifference(valuesOf(fields, name.toLowerCase()), valuesOf(sent.fields, name.toLowerCase())),
    ),
  }
}

/** A field that is set on the way arrives, whatever its value. */
export function arrivesWithAny(name: string): Expectation {
  return {
    expected: `a ${name} line arrives`,
    judge: onlyArrival(({ fields }) => (hasField(fields, name.toLowerCase()) ? undefined : `no ${name}`)),
  }
}

/** A list that may be omitted, but not spread over several lines. */
export function arrivesInOneLine(name: string): Expectation {
  return {
    expected: `at most one ${name} line arrives`,
    judge: onlyArrival(({ fields }) => {
      const lines = valuesOf(fields, name.toLowerCase()).length
      return lines > 1 ? `${lines} lines` : undefined
    }),
  }
}

/** A field that arrives, with its case kept. */
export function arrivesSpelled(name: string): Expectation {
  return {
    expected: `the field name arrives as ${name}`,
    judge: onlyArrival(({ fields }) => {
      const spelled = fields.find((each, at) => at % 2 === 0 && isField(each, name.toLowerCase()))
      if (spelled === name) return undefined
      return spelled === undefined ? 'no such field' : `the name ${spelled}`
    }),
  }
}

/** The value of a field does not reach the service under any spelling of its name; the point may also refuse. */
export function keepsOut(name: string, sentValue: string): Expectation {
  return {
    expected: `the ${name} that was sent does not reach the service, in any spelling`,
    judge: ({ arrivals, reply }) => {
      if (arrivals.length === 0) return isRefusal(reply) ? undefined : toReplyText(reply)
      const values = arrivals.flatMap(({ fields }) => spellingsOf(fields, name.toLowerCase()))
      return values.some((value) => value.includes(sentValue)) ? 'what was sent' : undefined
    },
  }
}

/** A field does not arrive at all. */
export function arrivesFreeOf(name: string): Expectation {
  return {
    expected: `no ${name} arrives`,
    judge: onlyArrival(({ fields }) => (hasField(fields, name.toLowerCase()) ? `a ${name} line` : undefined)),
  }
}

/** Body framing of the request as the service sees it. */
export function arrivesFramed(name: 'Content-Length' | 'Transfer-Encoding'): Expectation {
  return {
    expected: `the body is still framed by ${name}`,
    judge: onlyArrival(({ fields }) =>
      hasField(fields, name.toLowerCase()) ? undefined : 'another framing',
    ),
  }
}

/** The service receives the request so many times. */
export function arrivesTimes(times: number): Expectation {
  return {
    expected: `the service is asked ${times === 1 ? 'once' : `${times} times`}`,
    judge: ({ arrivals }) => (arrivals.length === times ? undefined : `${arrivals.length} requests`),
  }
}

/** A pool may open another connection before the last one is free again, but not every time. */
export const arrivesOnFewerConnections: Expectation = {
  expected: 'the service gets several requests on one connection',
  judge: ({ arrivals }) => {
    const { size } = new Set(arrivals.map(({ connection }) => connection))
    return size < arrivals.length ? undefined : `${size} connections`
  },
}

/** Nothing arrives, and the point answers with one of these statuses. */
export function refused(...statuses: readonly number[]): Expectation {
  return {
    expected: `the point refuses (${statuses.join(', ')}), and nothing reaches the service`,
    judge: ({ arrivals, reply }) => {
      if (arrivals.length > 0) return 'the request reached the service'
      if (reply.kind === 'none') return noReply(reply.code)
      return statuses.includes(reply.status) ? undefined : `status ${reply.status}`
    },
  }
}

/** Nothing arrives, whatever the point answers. */
export const staysOut: Expectation = {
  expected: 'nothing reaches the service',
  judge: ({ arrivals }) => (arrivals.length === 0 ? undefined : 'the request reached the service'),
}

function onlyArrival(judge: (arrival: Arrival, play: Play) => string | undefined): Expectation['judge'] {
  return (play) => {
    const [arrival, ...more] = play.arrivals
    if (arrival === undefined) return `nothing arrived; the point gave ${toReplyText(play.reply)}`
    return more.length > 0 ? `the request arrived ${more.length + 1} times` : judge(arrival, play)
  }
}

function isRefusal(reply: CaseResponse): boolean {
  return reply.kind === 'answer' && reply.status >= 400 && reply.status < 500
}

/** Every value under any spelling of a name: to a CGI-style server `X_Widget.Key` is X-Widget-Key. */
function spellingsOf(fields: readonly string[], foldedName: string): string[] {
  return fields.filter(
    (_value, at) =>
      at % 2 === 1 && (fields[at - 1] ?? '').toLowerCase().replace(/[^a-z0-9]/g, '-') === foldedName,
  )
}
