import { hasField, isField, valuesOf } from '../../../../src/http/fields.ts'
import { connectionOptions } from '../../../../src/http/hop-by-hop.ts'
import { count } from '../../../../src/text/prose.ts'
import type { Expectation } from './case.ts'
import type { Arrival, CaseRun } from './run.ts'
import { describeReply, difference, lineDifference, linesOf, shown } from './seen.ts'

export const arrivesAsSent = onArrival(
  'the service receives the request once, with the same method, raw path and query',
  ({ method, target, end }, { facts, sent }) => {
    if (end === 'cut') return 'the request was cut off before its end'
    if (method !== sent.method) return `the method ${method}`
    const expected = `${facts.root}${sent.path}`
    if (target === expected) return undefined
    const [path = ''] = target.split('?', 1)
    const [expectedPath = ''] = expected.split('?', 1)
    return path === expectedPath
      ? 'a different query'
      : `the path ${shown(path)} instead of ${shown(expectedPath)}`
  },
)

/** Host, X-Widget-Key and X-Continuation-Origin occur once each, with the values of the point (spec 4.9, rules 2 to 4). */
export const ownedFieldsSet = onArrival(
  "Host is the service's; X-Widget-Key and X-Continuation-Origin occur once, with the point's values",
  ({ fields }, { facts }) => {
    const hosts = valuesOf(fields, 'host').map((host) => host.toLowerCase())
    if (hosts.length !== 1 || !facts.serviceAuthorities.includes(hosts[0] ?? ''))
      return `Host ${hosts.map(shown).join(', ') || 'missing'}`
    const keys = spellingsOf(fields, 'x-widget-key')
    if (keys.length !== 1) return `X-Widget-Key ${keys.length} times, counting other spellings`
    if (keys[0] !== facts.widgetKey) return 'X-Widget-Key with a different key'
    const origins = spellingsOf(fields, 'x-continuation-origin')
    if (origins.length !== 1) return `X-Continuation-Origin ${origins.length} times, counting other spellings`
    if (origins[0] !== facts.point.origin) return 'X-Continuation-Origin with a different origin'
    const options = connectionOptions(fields)
    const isNamed = ['host', 'x-widget-key', 'x-continuation-origin'].some((name) => options?.has(name))
    return isNamed ? 'Connection names them, so a proxy of the service removes them' : undefined
  },
)

export const bodyArrives = onArrival('the body arrives byte for byte', ({ body }, { sent }) =>
  difference(body, sent.body),
)

export function arrivesWith(name: string): Expectation {
  return onArrival(`every ${name} line arrives unchanged`, ({ fields }, { sent }) =>
    lineDifference(linesOf(fields, name), linesOf(sent.fields, name)),
  )
}

/** A field that is set on the way arrives, whatever its value. */
export function arrivesWithAny(name: string): Expectation {
  return onArrival(`a ${name} line arrives`, ({ fields }) =>
    hasField(fields, name.toLowerCase()) ? undefined : `no ${name}`,
  )
}

/** A list that may be omitted, but not spread over several lines. */
export function arrivesInOneLine(name: string): Expectation {
  return onArrival(`at most one ${name} line arrives`, ({ fields }) => {
    const lines = linesOf(fields, name).length
    return lines > 1 ? `${lines} lines` : undefined
  })
}

export function arrivesSpelled(name: string): Expectation {
  return onArrival(`the field name arrives as ${name}`, ({ fields }) => {
    const spelled = fields.find((each, at) => at % 2 === 0 && isField(each, name.toLowerCase()))
    if (spelled === name) return undefined
    return spelled === undefined ? 'no such field' : `the name ${spelled}`
  })
}

export function keepsOut(name: string, sentValue: string): Expectation {
  return {
    expected: `the ${name} that was sent does not reach the service, in any spelling`,
    judge: ({ arrivals, reply }) => {
      const isRefused = reply.kind === 'response' && reply.status >= 400 && reply.status < 500
      if (arrivals.length === 0) return isRefused ? undefined : describeReply(reply)
      const values = arrivals.flatMap(({ fields }) => spellingsOf(fields, name.toLowerCase()))
      return values.some((value) => value.includes(sentValue)) ? 'it arrived' : undefined
    },
  }
}

export function arrivesFreeOf(name: string): Expectation {
  return onArrival(`no ${name} arrives`, ({ fields }) =>
    hasField(fields, name.toLowerCase()) ? `${name} arrived` : undefined,
  )
}

export function arrivesFramed(name: 'Content-Length' | 'Transfer-Encoding'): Expectation {
  return onArrival(`the body is still framed by ${name}`, ({ fields }) =>
    hasField(fields, name.toLowerCase()) ? undefined : 'different framing',
  )
}

export function arrivesTimes(times: number): Expectation {
  return {
    expected: `the service receives ${count(times, 'request')}`,
    judge: ({ arrivals }) => (arrivals.length === times ? undefined : count(arrivals.length, 'request')),
  }
}

/** A pool may open another connection before the last one is free again, but not every time. */
export const arrivesOnFewerConnections: Expectation = {
  expected: 'several requests reach the service on one connection',
  judge: ({ arrivals }) => {
    const { size } = new Set(arrivals.map(({ connection }) => connection))
    return size < arrivals.length ? undefined : `${size} connections`
  },
}

export function refused(...statuses: readonly number[]): Expectation {
  return {
    expected: `the point refuses (${statuses.join(', ')}), and nothing reaches the service`,
    judge: ({ arrivals, reply }) => {
      if (arrivals.length > 0) return 'the request reached the service'
      return reply.kind === 'response' && statuses.includes(reply.status) ? undefined : describeReply(reply)
    },
  }
}

export const staysOut: Expectation = {
  expected: 'nothing reaches the service',
  judge: ({ arrivals }) => (arrivals.length === 0 ? undefined : 'the request reached the service'),
}

function onArrival(
  expected: string,
  judge: (arrival: Arrival, run: CaseRun) => string | undefined,
): Expectation {
  return {
    expected,
    judge(run) {
      const [arrival, ...more] = run.arrivals
      if (arrival === undefined) return `nothing arrived; the point returned ${describeReply(run.reply)}`
      return more.length > 0 ? `the request arrived ${more.length + 1} times` : judge(arrival, run)
    },
  }
}

/** Every value under any spelling of a name: to a CGI-style server `X_Widget.Key` is X-Widget-Key. */
function spellingsOf(fields: readonly string[], foldedName: string): string[] {
  return fields.filter(
    (_value, at) =>
      at % 2 === 1 && (fields[at - 1] ?? '').toLowerCase().replace(/[^a-z0-9]/g, '-') === foldedName,
  )
}
