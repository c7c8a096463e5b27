import { valuesOf } from '../../http/fields.ts'
import type { Account } from '../account.ts'
import type { Arrival } from '../arrival.ts'
import { judgeBackTransfer, sendBack } from '../widget/back-transfer.ts'
import { storeCookies } from '../widget/store-cookies.ts'
import type { WidgetSession } from '../widget/widget-session.ts'
import type { TestResource } from './test-resource.ts'
import { verify } from './verification.ts'

/** A call of the widget stand-in for one point of a session. */
export interface WidgetCall {
  readonly name: CallName
  /** `undefined` when there is no session of that id. */
  readonly session: WidgetSession | undefined
  /** Index among the session's points; NaN when the call names none. */
  readonly pointIndex: number
}

type CallName = 'init' | 'create' | 'store' | 'restore'

/**
 * Finds the call that a request below the prefix makes. The names are the service's (spec 4.9, rule 1), what they do is
 * the stand-in's own protocol; a continuation point forwards them like anything else:
 *
 * | call | does |
 * | --- | --- |
 * | `GET init?session=ID&point=N` | asks whether the point is there for this session |
 * | `POST create?…` | opens the point's part in the session |
 * | `GET store?…` | puts the cookies that came along into the session |
 * | `POST restore?…` | sends changed cookies back by Set-Cookie, where back-transfer is possible |
 *
 * @param name path below the prefix, raw
 * @param query raw, without `?`
 */
export function findWidgetCall(
  { method }: Arrival,
  name: string,
  query: string,
  sessions: ReadonlyMap<string, WidgetSession>,
): WidgetCall | undefined {
  const parameters = new URLSearchParams(query)
  const session = parameters.get('session')
  if (!isCallName(name) || METHODS[name] !== method || session === null) return undefined
  return {
    name,
    session: sessions.get(session),
    pointIndex: Number.parseInt(parameters.get('point') ?? '', 10),
  }
}

/** Makes the call: what it adds to the stand-in's answer stands in the member `widget`. */
export function answerWidgetCall(call: WidgetCall, { fields }: Arrival, account: Account): TestResource {
  const { name, session, pointIndex } = call
  const failed = verify(fields, account).find(({ outcome }) => outcome === 'fail')
  if (failed !== undefined) return refuse(403, failed.description)
  const point = session?.points[pointIndex]
  if (session === undefined || session.widgetKey !== account.widgetKey || point === undefined) {
    return refuse(404, 'There is no such session, or it has no such point.')
  }
  if (valuesOf(fields, 'x-continuation-origin')[0] !== point.origin) {
    return refuse(403, `This point of the session is on ${point.origin}.`)
  }
  if (session.state === 'ended') return refuse(409, 'The session is over.')
  if (!session.options.cookie_transfer_proxying) return refuse(409, 'The session does without its points.')
  if (name === 'restore') return restore(session, pointIndex)
  if (session.asked.get(pointIndex) !== BEFORE[name]) return refuse(409, `${name} is not what comes next.`)
  session.asked.set(pointIndex, name)
  const stored =
    name === 'store' ? { stored: storeCookies(session, pointIndex, valuesOf(fields, 'cookie')) } : {}
  return {
    status: name === 'create' ? 201 : 200,
    fields: NOT_STORED,
    members: { widget: { call: name, ...stored } },
  }
}

function restore(session: WidgetSession, pointIndex: number): TestResource {
  const judged = judgeBackTransfer(session)
  if (judged.verdict === 'stays') return refuse(409, `Changed cookies stay: ${judged.reason}.`)
  const sent = sendBack(session, pointIndex)
  return {
    status: 200,
    fields: [...NOT_STORED, ...sent.map(({ line }) => ['Set-Cookie', line] as const)],
    members: { widget: { call: 'restore', sentBack: sent.map(({ name }) => name) } },
  }
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

const BEFORE: Readonly<Record<Exclude<CallName, 'restore'>, 'init' | 'create' | undefined>> = {
  init: undefined,
  create: 'init',
  store: 'create',
}
