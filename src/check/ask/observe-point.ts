import { createHash } from 'node:crypto'
import type { Secret } from '../../config/secret.ts'
import { type Probe, parseEndpoint } from '../../probe/probe.ts'
import type { Facts, PointFact, SoundPoint } from '../facts.ts'
import { findPagesOfSite } from '../parsed-url.ts'
import { type Arrival, readArrival } from '../read/arrival.ts'
import {
  isOpenToBrowsers,
  type LiveFact,
  type Observation,
  openAddress,
  type Question,
  type Reach,
} from '../read/live-fact.ts'
import { isVouched, standInOf, vouchedOf } from '../read/observations.ts'
import { isConclusive } from '../read/reply.ts'
import { isForeign } from '../read/variation.ts'
import { askContrasts, askDirectly, askWithOthers } from './ask-contrasts.ts'
import { type AskAsPoint, type AskService, condense, observeReach, pointAsker } from './ask-service.ts'
import { askAgain, boundedAsker, type Observe } from './asker.ts'
import { openClaim } from './claim.ts'
import { planQuestions, type QuestionOptions, type Questions } from './questions.ts'

/** What the check needs beyond the facts of the config to ask the points. */
export interface LiveSource {
  readonly probe: Probe
  /** Asks the service; it may trust other certificate authorities. */
  readonly serviceProbe: Probe
  /** Visible ASCII without `-`, new for every run. */
  readonly runId: string
  readonly nowMs: number
  readonly keepCookiePath: boolean
  /** Sent to the service only. */
  widgetKeyOf(point: PointFact): Secret | undefined
  /** Never sent, only compared. */
  readonly restKey?: Secret | undefined
  /** A cookie name that the proxy forwards, if it forwards only listed ones. */
  readonly cookieName: string | undefined
  /** Called before each question with a description of it, to show progress. */
  readonly onQuestion?: (text: string) => void
}

/** Asks a point the verification question, and the other questions only if that one reaches the service. */
export async function observePoint(
  pointFact: SoundPoint,
  facts: Facts,
  askService: AskService | undefined,
  source: LiveSource,
): Promise<LiveFact> {
  const { point, parsed } = pointFact
  const { probe, nowMs, keepCookiePath, onQuestion } = source
  const endpoint = parseEndpoint(parsed.url)
  const widgetKey = source.widgetKeyOf(pointFact)
  const service = facts.service?.parsed
  onQuestion?.(`${point.authority}: connection`)
  const reach = await observeReach(endpoint, probe)
  const unasked: LiveFact = {
    point,
    observedAtMs: nowMs,
    reach,
    observations: [],
    serviceAuthority: service && new URL(service.url).host,
    serveAuthority: facts.serveAuthority,
    widgetKeySha256: hash(widgetKey),
    restKeySha256: hash(source.restKey),
    servicePath: keepCookiePath ? point.path : facts.prefix,
  }
  const address = openAddress(reach)
  if (address === undefined) return unasked
  const ask = boundedAsker(async ({ question, address }, mostMs) => {
    const { purpose, rest, ...request } = question
    onQuestion?.(`${point.authority}${point.path}: ${purpose}`)
    const target = purpose === 'outside' ? rest : `${point.path}${rest}`
    return condense(await probe.send(endpoint, address, { ...request, target, mostMs }), question)
  }, probe.pause)
  const observeAt =
    (address: string): Observe =>
    async (question, own) => {
      const claim = question.purpose === 'outside' ? undefined : openClaim(question, point, widgetKey)
      const fields = [...question.fields, ...(claim?.fields ?? [])]
      const reply = await ask({ question: { ...question, fields }, address })
      return { question, reply, direct: own, vouched: claim?.read(reply) }
    }
  const observe = observeAt(address)
  // The key is not sent over a network in plain text.
  const isSafe = service?.scheme === 'https' || service?.loopback === true
  const right = isSafe && widgetKey && { widgetKey, origin: point.origin, path: unasked.servicePath }
  const askAsPoint = askService && right ? pointAsker(askService, right) : undefined
  const questions = planQuestions(chooseQuestionOptions(pointFact, reach, facts, source))
  const begun = await askFirst(unasked, questions.verification, observe, probe.pause, askService, askAsPoint)
  const arrival = readArrival(begun)
  if (!isOpenToBrowsers(reach) || !isOfService(arrival)) return begun
  // First, since nothing else is worse.
  const outside = await askOutside(begun, questions.outside, observe, askAsPoint)
  if (arrival.kind !== 'service') return { ...begun, outside }
  const again = askAgain(observe, (each) => isForeign(each, begun), probe.pause)
  const elsewhere = await askElsewhere(begun, observeAt)
  return { ...(await askRest(begun, questions, again, askAsPoint)), elsewhere, outside }
}

/** Whether the service answered, rightly or not: 421 says that it has no such Host. */
function isOfService(arrival: Arrival): boolean {
  if (arrival.kind === 'stranger') return arrival.reply.kind === 'response' && arrival.reply.status === 421
  return ['service', 'other-host', 'other-path'].includes(arrival.kind)
}

/** Asks outside of every point, and the service itself unless it says of every request that it arrived. */
async function askOutside(
  fact: LiveFact,
  questions: readonly Question[],
  observe: Observe,
  askAsPoint: AskAsPoint | undefined,
): Promise<readonly Observation[]> {
  const found: Observation[] = []
  for (const question of questions) {
    const own = standInOf(fact) === undefined ? await askAsPoint?.(question, { path: '' }) : undefined
    found.push(await observe(question, own))
  }
  return found
}

/** Asks the first question again at the other addresses, where an older server may answer. */
async function askElsewhere(
  fact: LiveFact,
  observeAt: (address: string) => Observe,
): Promise<readonly LiveFact[]> {
  const found: LiveFact[] = []
  for (const attempt of fact.reach.attempts.filter(({ connection }) => connection.kind === 'open').slice(1)) {
    const observations: Observation[] = []
    for (const { question, direct, contrasts = [] } of fact.observations)
      observations.push({ ...(await observeAt(attempt.address)(question, direct)), contrasts })
    found.push({ ...fact, reach: { ...fact.reach, attempts: [attempt] }, observations })
  }
  return found
}

/** Asks the first question, and again if something else answers; the service only if its answer doesn't say what arrived. */
async function askFirst(
  fact: LiveFact,
  question: Question,
  observe: Observe,
  pause: Probe['pause'],
  askService: AskService | undefined,
  askAsPoint: AskAsPoint | undefined,
): Promise<LiveFact> {
  const seen = await observe(question)
  // With nothing to compare, the service isn't asked.
  const isUnclear = seen.reply.standIn === undefined && isConclusive(seen.reply)
  const bare = isUnclear ? await askService?.(question, { path: fact.servicePath, fields: [] }) : undefined
  const direct = bare && askAsPoint && (await askDirectly(question, bare, askAsPoint))
  const own = direct?.right
  const isCompared = own?.kind === 'response' && vouchedOf(seen) === undefined
  const contrasts = isCompared && askAsPoint ? await askWithOthers(question, fact, askAsPoint) : []
  const toFact = (each: Observation): LiveFact => {
    return { ...fact, bare, direct, observations: [{ ...each, contrasts }] }
  }
  const ask = askAgain(observe, (each) => isStranger(toFact(each)), pause)
  return toFact(await ask(question, own, { ...seen, direct: own }))
}

/** Whether something answered that isn't the service, and may not do so the next time. */
function isStranger(fact: LiveFact): boolean {
  const arrival = readArrival(fact)
  if (arrival.kind !== 'refused') return arrival.kind === 'stranger'
  // A service that hangs is not waited for again.
  return arrival.refusal.status >= 500 && arrival.refusal.status !== 504
}

async function askRest(
  fact: LiveFact,
  questions: Questions,
  observe: Observe,
  askAsPoint: AskAsPoint | undefined,
): Promise<LiveFact> {
  const observations: Observation[] = [...fact.observations]
  const isVouchedFor = isVouched(fact)
  const { direct } = fact
  const askOne = async (question: Question) => {
    if (isPointless(question, observations.at(-1))) return
    // Only the service knows which origins it allows, and what caches may store; for all else continuation-point vouches.
    const isCompared = !isVouchedFor || ['preflight', 'cors', 'file'].includes(question.purpose)
    const own = isCompared && direct && askAsPoint ? await askAsPoint(question) : undefined
    const contrasts =
      isVouchedFor || direct === undefined || askAsPoint === undefined
        ? []
        : await askContrasts(question, observations, direct.right, askAsPoint)
    const observation = { ...(await observe(question, own)), contrasts }
    observations.push(observation)
    // What doesn't answer a body may answer without one.
    if (isUnanswered(observation)) await askOne({ ...question, body: undefined })
  }
  if (standInOf(fact) !== undefined) for (const question of questions.ofStandIn) await askOne(question)
  else {
    observations.push(await observe(questions.forged))
    const repeated = isVouchedFor ? questions.repeated : []
    if (isVouchedFor || direct !== undefined)
      for (const question of [...repeated, ...questions.comparable]) await askOne(question)
  }
  return { ...fact, observations }
}

function isUnanswered({ question, reply }: Observation): boolean {
  return question.body !== undefined && reply.kind === 'none' && reply.cause === 'timeout'
}

/** Nothing larger is sent, or asked for, after something that did not arrive. */
function isPointless(next: Question, last: Observation | undefined): boolean {
  const isSize = /-size$/.test(next.purpose)
  if (!isSize || last?.question.purpose !== next.purpose) return false
  return last.reply.kind === 'none' || last.reply.status >= 400
}

function chooseQuestionOptions(
  { parsed, point }: SoundPoint,
  { attempts }: Reach,
  { pages, pagesBySite, prefix }: Facts,
  { runId, cookieName }: LiveSource,
): QuestionOptions {
  const origins = new Set(findPagesOfSite(parsed, pagesBySite).map(({ origin }) => origin))
  origins.delete(point.origin)
  const page = pages.find((each) => each.parsed?.origin === point.origin)?.parsed
  return {
    runId,
    // continuation-point vouches for cookies that begin with this mark, or whose value does.
    cookieStart: cookieName === undefined ? `${MARK}=` : `${cookieName}=${MARK}`,
    pageOrigins: [...origins].slice(0, MOST_PAGES),
    outside: [
      page === undefined ? '/' : new URL(page.url).pathname,
      `${prefix.slice(0, -1)}x/`,
      `/continuation-point-check-${runId}/`,
    ],
    offersH2: attempts.some(({ connection }) => connection.kind === 'open' && connection.offersH2 === true),
  }
}

function hash(key: Secret | undefined): string | undefined {
  return key && createHash('sha256').update(key.reveal()).digest('hex')
}

const MARK = 'continuation_point_check'
const MOST_PAGES = 3
