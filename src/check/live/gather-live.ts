import type { Secret } from '../../config/secret.ts'
import type { Point } from '../../points/point.ts'
import type { Facts, Place, PointFact } from '../facts.ts'
import { isCrossSite, toPagesOfSite } from '../place.ts'
import type { Endpoint, Probe } from '../probe/probe.ts'
import { SERVICE_STEPS } from '../rules/live/forwarded.ts'
import { askDirectly, type ServiceDesk, serviceDesk } from './ask-directly.ts'
import { type Asker, patientAsker } from './asker.ts'
import type { Exchange, LiveFact, Reach } from './live-fact.ts'
import { findObstacle } from './on-live-points.ts'
import {
  comparableQuestions,
  type Question,
  type QuestionOptions,
  standInQuestions,
  verificationQuestion,
} from './question.ts'
import { observeReach, openAddress } from './reach.ts'
import { readStandIn } from './stand-in-answer.ts'

/** What the check needs beyond the facts of the config to ask the points. */
export interface LiveSource {
  /** Asks the points. */
  readonly probe: Probe
  /** Asks the service; it may trust other authorities. */
  readonly serviceProbe: Probe
  /** Visible ASCII without `-`, new for every run. */
  readonly runId: string
  readonly nowMs: number
  readonly keepCookiePath: boolean
  /** Goes to the service alone. */
  widgetKeyOf(point: PointFact): Secret | undefined
  /** The one cookie name that the proxy is sure to forward, when it forwards only listed ones. */
  readonly cookieName: string | undefined
  /** Called before each question with what is asked, for whoever waits. */
  readonly onQuestion?: (text: string) => void
}

/** Asks every point that can be asked, a few at a time. What the points say is judged by the rules. */
export async function gatherLive(
  facts: Facts,
  source: LiveSource,
): Promise<ReadonlyMap<PointFact, LiveFact>> {
  const asked = facts.points.filter((fact) => isAsked(fact, facts))
  const service = facts.service && serviceDesk(facts.service.place, source.serviceProbe)
  const found = new Map<PointFact, LiveFact>()
  const waiting = asked.entries()
  const worker = async () => {
    for (const [index, fact] of waiting) {
      if (fact.point === undefined) continue
      const live = await observePoint(fact, fact.point, facts, service, {
        ...source,
        runId: `${source.runId}p${index}`,
      })
      found.set(fact, live)
    }
  }
  await Promise.all(Array.from({ length: POINTS_AT_ONCE }, worker))
  return found
}

/** Every host that will be contacted, as `host:port`. */
export function toContacts(facts: Facts): readonly string[] {
  const places = [
    ...facts.points.filter((fact) => isAsked(fact, facts)).map(({ place }) => place),
    facts.service?.place,
  ]
  return [...new Set(places.flatMap((place) => (place === undefined ? [] : [new URL(place.url).host])))]
}

/** A point that stands twice is asked once, and one that the widget ignores not at all. */
function isAsked({ place, point, duplicateOf }: PointFact, { pagesBySite }: Facts): boolean {
  return (
    place !== undefined &&
    point !== undefined &&
    duplicateOf === undefined &&
    !isCrossSite(place, pagesBySite)
  )
}

async function observePoint(
  pointFact: PointFact,
  point: Point,
  facts: Facts,
  service: ServiceDesk | undefined,
  source: LiveSource,
): Promise<LiveFact> {
  const { probe, nowMs, keepCookiePath } = source
  const endpoint = toEndpoint(point)
  source.onQuestion?.(`${point.authority}: connection`)
  const reach = await observeReach(endpoint, probe)
  const fact: LiveFact = {
    point,
    observedAtMs: nowMs,
    reach,
    exchanges: [],
    direct: { kind: 'not-asked', settle: 'name "service.url" and the widget key in the config' },
    serviceAuthority: facts.service && new URL(facts.service.place.url).host,
    servicePath: keepCookiePath ? point.path : facts.prefix,
  }
  const ask = toAsk(endpoint, reach, point, source)
  if (ask === undefined) return fact
  const options = toQuestionOptions(point, facts, source)
  return continueAsking(
    fact,
    facts,
    options,
    ask,
    service && {
      desk: service,
      widgetKey: source.widgetKeyOf(pointFact),
    },
  )
}

async function continueAsking(
  fact: LiveFact,
  facts: Facts,
  options: QuestionOptions,
  ask: Asker,
  service: { readonly desk: ServiceDesk; readonly widgetKey: Secret | undefined } | undefined,
): Promise<LiveFact> {
  const first = verificationQuestion(options)
  const reply = await ask(first)
  const isSelfDescribing = readStandIn(reply) !== undefined
  const direct =
    isSelfDescribing || service === undefined
      ? fact.direct
      : await askDirectly(service.desk, first, fact, service.widgetKey)
  const right = direct.kind === 'asked' ? direct.right : undefined
  const begun: LiveFact = { ...fact, direct, exchanges: [{ question: first, reply, direct: right }] }
  if (findObstacle(begun, facts, SERVICE_STEPS) !== undefined) return begun
  const questions = isSelfDescribing
    ? standInQuestions(options)
    : direct.kind === 'asked'
      ? comparableQuestions(options)
      : []
  const exchanges: Exchange[] = [...begun.exchanges]
  for (const question of questions) {
    if (isLost(exchanges.at(-1), question)) continue
    const twin =
      isSelfDescribing || service?.widgetKey === undefined
        ? undefined
        : await service.desk.ask(question, fact, service.widgetKey)
    exchanges.push({ question, reply: await ask(question), direct: twin })
  }
  return { ...begun, exchanges }
}

/** A larger Cookie line is not sent after one that did not arrive. */
function isLost(last: Exchange | undefined, next: Question): boolean {
  if (last?.question.purpose !== 'header-size' || next.purpose !== 'header-size') return false
  return last.reply.kind === 'none' || last.reply.status >= 400
}

function toAsk(
  endpoint: Endpoint,
  reach: Reach,
  point: Point,
  { probe, onQuestion }: LiveSource,
): Asker | undefined {
  const address = openAddress(reach)
  if (address === undefined) return undefined
  return patientAsker(({ purpose, method, rest, fields, body }) => {
    onQuestion?.(`${point.authority}${point.path}: ${purpose}`)
    return probe.send(endpoint, address, { method, target: `${point.path}${rest}`, fields, body })
  })
}

function toQuestionOptions(point: Point, facts: Facts, { runId, cookieName }: LiveSource): QuestionOptions {
  const pages = toPagesOfSite(toPlaceOf(point, facts), facts.pagesBySite)
  const others = [...new Set(pages.map(({ origin }) => origin))].filter((origin) => origin !== point.origin)
  return {
    runId,
    cookieName: cookieName ?? 'continuation_point_check',
    pageOrigins: others.slice(0, MOST_PAGES),
  }
}

function toPlaceOf(point: Point, facts: Facts): Place {
  const place = facts.points.find((each) => each.point === point)?.place
  if (place === undefined) throw new Error('A point without a place was asked')
  return place
}

function toEndpoint({ scheme, host, url }: Point): Endpoint {
  return { scheme, host, port: Number(new URL(url).port) || (scheme === 'https' ? 443 : 80) }
}

const POINTS_AT_ONCE = 3
const MOST_PAGES = 3
