import { valuesOf } from '../../http/fields.ts'
import { NOT_STORED } from '../rest/reply.ts'
import type { Arrival } from '../state/arrival.ts'
import type { Account } from '../state/company.ts'
import type { Service } from '../state/service.ts'
import { isActive, type Session } from '../state/session.ts'
import type { Visit } from '../state/visit.ts'
import { sendBack, storeCookies } from '../state/visit-cookies.ts'
import type { TestResource } from './test-resource.ts'
import { verify } from './verification.ts'

/** A call of the widget stand-in at one point of a session. */
type WidgetCall = NonNullable<ReturnType<typeof findWidgetCall>>

/**
 * Finds the call that a request below the prefix makes. The names are the service's (spec 4.9, rule 1), what they do is
 * the stand-in's own protocol; a continuation point forwards them like anything else:
 *
 * | call | does |
 * | --- | --- |
 * | `GET store?session=ID&point=N` | stores the request's cookies in the session |
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
  return { name: call.name, session, point }
}

/** Makes the call. Its result is in the member `widget` of the stand-in's answer. */
export function answerWidgetCall(call: WidgetCall, { fields }: Arrival, account: Account): TestResource {
  const failed = verify(fields, account).find(({ outcome }) => outcome === 'fail')
  if (failed !== undefined) return refuse(403, failed.description)
  const { name, session, point } = call
  const visit = session?.visit
  if (visit === undefined || point === undefined || session?.company.widget_key !== account.widgetKey)
    return refuse(404, 'There is no such session, or it has no such point.')
  if (valuesOf(fields, 'x-continuation-origin')[0] !== point.origin)
    return refuse(403, `This point of the session is on ${point.origin}.`)
  if (name === 'restore') return restore(session, visit, point)
  if (!isActive(session)) return refuse(409, 'The session is over.')
  return { members: { widget: { stored: storeCookies(visit, point, valuesOf(fields, 'cookie')) } } }
}

function restore(session: Session, visit: Visit, point: URL): TestResource {
  if (visit.noReturn !== undefined) return refuse(409, `${visit.noReturn}.`)
  if (isActive(session)) return refuse(409, 'The session is still running.')
  const sent = sendBack(visit, point)
  return {
    fields: [...Object.entries(NOT_STORED), ...sent.map(({ line }) => ['Set-Cookie', line] as const)],
    members: { widget: { sentBack: sent.map(({ name }) => name) } },
  }
}

function refuse(status: number, reason: string): TestResource {
  return { status, members: { widget: { refused: reason } } }
}

const CALLS = [
  { name: 'store', method: 'GET' },
  { name: 'restore', method: 'POST' },
] as const
