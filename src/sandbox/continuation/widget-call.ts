import { valuesOf } from '../../http/fields.ts'
import type { Account } from '../state/account.ts'
import type { Service } from '../state/service.ts'
import { isActive } from '../state/session.ts'
import { findOwned, keepSession, type OwnedSession } from '../state/sessions.ts'
import type { PointCall, Visit } from '../state/visit.ts'
import { sendBack, storeCookies } from '../state/visit-cookies.ts'
import type { Arrival } from '../wire/arrival.ts'
import type { TestResource } from './test-resource.ts'
import { verify } from './verification.ts'

/** A call of the widget stand-in at one point of a session. */
export interface WidgetCall {
  readonly name: CallName
  /** `undefined` if there is no session with that id. */
  readonly owned: OwnedSession | undefined
  /** Index among the session's points; NaN if the call names none. */
  readonly pointIndex: number
}

type CallName = PointCall | 'restore'

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
export function findWidgetCall(
  method: string,
  name: string,
  query: URLSearchParams,
  service: Service,
): WidgetCall | undefined {
  const session = query.get('session')
  if (!isCallName(name) || METHODS[name] !== method || session === null) return undefined
  return {
    name,
    owned: findOwned(service, session),
    pointIndex: Number.parseInt(query.get('point') ?? '', 10),
  }
}

/** Makes the call. Its result is in the member `widget` of the stand-in's answer. */
export function answerWidgetCall(call: WidgetCall, { fields }: Arrival, account: Account): TestResource {
  const { name, owned, pointIndex } = call
  const failed = verify(fields, account).find(({ outcome }) => outcome === 'fail')
  if (failed !== undefined) return refuse(403, failed.description)
  const visit = owned?.session.visit
  const point = visit?.points[pointIndex]
  if (owned === undefined || visit === undefined || point === undefined) return refuse(404, NO_SUCH)
  if (owned.company.widget_key !== account.widgetKey) return refuse(404, NO_SUCH)
  if (valuesOf(fields, 'x-continuation-origin')[0] !== point.origin) {
    return refuse(403, `This point of the session is on ${point.origin}.`)
  }
  if (visit.continuation !== 'on') return refuse(409, 'This session does not use its continuation points.')
  if (name === 'restore') return restore(owned, visit, pointIndex)
  if (!isActive(owned.session)) return refuse(409, 'The session is over.')
  if (point.answered !== BEFORE[name]) return refuse(409, `${name} is out of order.`)
  const lines = name === 'store' ? valuesOf(fields, 'cookie') : []
  const { stored, visit: carried } = storeCookies(visit, pointIndex, lines)
  keepVisit(owned, {
    ...carried,
    points: carried.points.map((each, index) => (index === pointIndex ? { ...each, answered: name } : each)),
  })
  return {
    status: name === 'create' ? 201 : 200,
    fields: NOT_STORED,
    members: { widget: { call: name, ...(name === 'store' ? { stored } : {}) } },
  }
}

function restore(owned: OwnedSession, visit: Visit, pointIndex: number): TestResource {
  if (visit.backTransfer.verdict === 'stays') {
    return refuse(409, `Changed cookies do not go back: ${visit.backTransfer.reason}.`)
  }
  if (isActive(owned.session)) return refuse(409, 'The session is still running.')
  const { sent, visit: returned } = sendBack(visit, pointIndex)
  keepVisit(owned, returned)
  return {
    status: 200,
    fields: [...NOT_STORED, ...sent.map(({ line }) => ['Set-Cookie', line] as const)],
    members: { widget: { call: 'restore', sentBack: sent.map(({ name }) => name) } },
  }
}

function keepVisit({ company, session }: OwnedSession, visit: Visit): void {
  keepSession(company, { ...session, visit })
}

function refuse(status: number, reason: string): TestResource {
  return { status, fields: NOT_STORED, members: { widget: { refused: reason } } }
}

function isCallName(name: string): name is CallName {
  return Object.hasOwn(METHODS, name)
}

const NOT_STORED = [['Cache-Control', 'no-store']] as const

const METHODS: Readonly<Record<CallName, string>> = {
  init: 'GET',
  create: 'POST',
  store: 'GET',
  restore: 'POST',
}

const NO_SUCH = 'There is no such session, or it has no such point.'

const BEFORE: Readonly<Record<PointCall, 'nothing' | PointCall>> = {
  init: 'nothing',
  create: 'init',
  store: 'create',
}
