import { valuesOf } from '../../http/fields.ts'
import type { Account } from '../state/account.ts'
import type { Service } from '../state/service.ts'
import { isActive, type Session } from '../state/session.ts'
import type { Visit, VisitPoint } from '../state/visit.ts'
import { sendBack, storeCookies } from '../state/visit-cookies.ts'
import type { Arrival } from '../wire/arrival.ts'
import { NOT_STORED, type TestResource } from './test-resource.ts'
import { verify } from './verification.ts'

/** A call of the widget stand-in at one point of a session. */
type WidgetCall = NonNullable<ReturnType<typeof findWidgetCall>>

/**
 * Finds the call that a request below the prefix makes. The names are the service's (spec 4.9, rule 1), what they do is
 * the stand-in's own protocol; a continuation point forwards them like anything else:
 *
 * | call | does |
 * | --- | --- |
 * | `GET init?session=ID&point=N` | checks that the point works for this session |
 * | `POST create?…` | adds the point to the session |
 * | `GET store?…` | stores the request's cookies in the session |
 * | `POST restore?…` | once the session is over, sends changed cookies back by Set-Cookie, where back-transfer is possible |
 *
 * @param name path below the prefix, raw
 */
export function findWidgetCall(method: string, name: string, query: URLSearchParams, service: Service) {
  const call = CALLS.find((each) => each.name === name && each.method === method)
  const id = query.get('session')
  if (call === undefined || id === null) return undefined
  const session = service.sessions.get(id)
  const point = session?.visit?.points[Number.parseInt(query.get('point') ?? '', 10)]
  return { ...call, session, point }
}

/** Makes the call. Its result is in the member `widget` of the stand-in's answer. */
export function answerWidgetCall(call: WidgetCall, { fields }: Arrival, account: Account): TestResource {
  const failed = verify(fields, account).find(({ outcome }) => outcome === 'fail')
  if (failed !== undefined) return refuse(403, failed.description)
  const { name, after, session, point } = call
  const visit = session?.visit
  if (visit === undefined || point === undefined || session?.company.widget_key !== account.widgetKey) {
    return refuse(404, 'There is no such session, or it has no such point.')
  }
  if (valuesOf(fields, 'x-continuation-origin')[0] !== point.origin) {
    return refuse(403, `This point of the session is on ${point.origin}.`)
  }
  if (visit.continuation !== 'on') return refuse(409, 'This session does not use its continuation points.')
  if (name === 'restore') return restore(session, visit, point)
  if (!isActive(session)) return refuse(409, 'The session is over.')
  if (point.answered !== after) return refuse(409, `${name} is out of order.`)
  point.answered = name
  const stored = name === 'store' ? storeCookies(visit, point, valuesOf(fields, 'cookie')) : undefined
  return { status: name === 'create' ? 201 : 200, members: { widget: { call: name, stored } } }
}

function restore(session: Session, visit: Visit, point: VisitPoint): TestResource {
  const { backTransfer } = visit
  if (backTransfer !== 'on') return refuse(409, `Changed cookies do not go back: ${backTransfer}.`)
  if (isActive(session)) return refuse(409, 'The session is still running.')
  const sent = sendBack(visit, point)
  return {
    fields: [...NOT_STORED, ...sent.map(({ line }) => ['Set-Cookie', line] as const)],
    members: { widget: { call: 'restore', sentBack: sent.map(({ name }) => name) } },
  }
}

function refuse(status: number, reason: string): TestResource {
  return { status, members: { widget: { refused: reason } } }
}

const CALLS = [
  { name: 'init', method: 'GET', after: 'nothing' },
  { name: 'create', method: 'POST', after: 'init' },
  { name: 'store', method: 'GET', after: 'create' },
  { name: 'restore', method: 'POST', after: undefined },
] as const
