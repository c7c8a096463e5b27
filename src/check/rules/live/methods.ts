import { FAILURES } from '../../../forward/failure.ts'
import { indexBy } from '../../by-key.ts'
import type { Fix, Remedy } from '../../fix.ts'
import { explainNeeds, explainUnclear, readContrasts, type Shown } from '../../read/contrast.ts'
import type { LiveFact, Observation, Reply } from '../../read/live-fact.ts'
import { isVouched, observationsFor, standInOf, vouchedOf } from '../../read/observations.ts'
import { readOwnRefusal } from '../../read/own-refusal.ts'
import { describeReply, escapeAndCut, evidenceOf, isConclusive, isSameKind } from '../../read/reply.ts'
import type { StandInReport } from '../../read/stand-in.ts'
import { hasBody, standInMethod } from '../../read/stand-in-report.ts'
import { showsStoredResponse } from '../../read/stored-responses.ts'
import { explainUnanswered } from '../../read/troubles.ts'
import { cite, fail, inconclusive, pass, type RulesById, type Ruling } from '../../rule.ts'
import { eachLivePoint } from '../../subjects.ts'
import { FIELD_RULES } from './own-fields.ts'

export const methodRules: RulesById = {
  'live/methods': {
    title: 'Every method, deep path, query and body arrives as it was sent',
    why: 'The service decides which methods and paths the widget uses. A web server or proxy that allows only GET, or decodes the path on the way, breaks sessions halfway through.',
    wrong:
      'nginx: proxy_pass http://service/service_cookie_transfer/; (with a path, nginx decodes and re-encodes the URL)',
    right: 'nginx: proxy_pass http://service; (without one the URL stays as received)',
    fix: 'Forward all methods, and path and query unchanged.',
    remedy: (advice) => advice.keepRawPath,
    reference: cite('RFC 3986', '2.4', 'when to encode or decode'),
    needs: { rules: ['live/forwarded'], comparison: FIELD_RULES, answers: ['method', 'file'] },
    evaluate: eachLivePoint((fact) => {
      const seen = observationsFor(fact, 'verification', 'method', 'file')
      const judgeOne = standInOf(fact) ? judgeArrival : isVouched(fact) ? judgeVouched : undefined
      const results = judgeOne === undefined ? compareAll(fact) : seen.map((each) => judgeOne(fact, each))
      const found = results.flatMap((result) => (typeof result === 'object' ? blameName(result, fact) : []))
      const isGetLost = found.some(({ method, isLost }) => method === 'GET' && isLost)
      const all = isGetLost ? found.map((fault) => blameDepth(fault, fact)) : found
      // A cache also explains a lost HEAD.
      const faults = showsStoredResponse(fact) ? all.filter(({ method }) => method !== 'HEAD') : all
      if (faults.length > 0) return failAll(faults)
      if (results.length > 0 && results.every((result) => result === 'as-sent')) return pass
      if (results.includes('unclear')) return { ...inconclusive(explainUnclear(fact)), holds: true }
      const why = `Not every method could be tested: ${explainNeeds(fact)}`
      return inconclusive(explainUnanswered(fact) ?? why)
    }),
  },
}

interface Fault {
  readonly method: string
  /** What happened to it; the same for several methods is said once. */
  readonly what: string
  readonly fix: string
  /** Where it is absent, that all methods pass; `undefined` for none. */
  readonly remedy?: Remedy | undefined
  readonly sent: string
  readonly arrived: string
  /** Something other than the service answered. */
  readonly isLost?: boolean
}

/** One clause for each kind of fault with the methods that have it, the most frequent first. */
function failAll(faults: readonly Fault[]): Ruling {
  const kinds = [...indexBy(faults, ({ what }) => [what])].sort(([, a], [, b]) => b.length - a.length)
  const messages = kinds.map(
    ([what, same]) => `${[...new Set(same.map(({ method }) => method))].join(', ')}: ${what}`,
  )
  const first = kinds[0]?.[1][0]
  const fixes = new Set([first, ...faults].flatMap((fault) => fault?.fix ?? []))
  const { remedy } = { remedy: ALL_METHODS, ...first }
  const fix: Fix = { what: [...fixes].join('. '), ...(remedy && { remedy }) }
  return fail(messages.join('; '), fix, {
    sent: first?.sent,
    arrived: first?.arrived,
    faults: faults.map(({ sent, arrived }) => ({ sent, arrived })),
  })
}

/** If even GET is lost, the path below the point is the problem, not the method. */
function blameDepth(fault: Fault, fact: LiveFact): Fault {
  const { path } = fact.point
  const [deep] = observationsFor(fact, 'method')
  // The stand-in answers none of this with an error.
  const isError =
    (deep?.direct?.kind === 'response' && deep.direct.status > 399) ||
    (standInOf(fact) === undefined && /^[45]/.test(fault.arrived))
  const why = `what is below the point does not reach the service${isError ? ', or the site replaces its error pages' : ''}`
  const fix = `Forward everything below ${path}, encoded slashes too${isError ? ', and leave its errors as they are (nginx: proxy_intercept_errors off)' : ''}`
  return blameLost(fault, path, why, fix)
}

/** If only names that end in a certain way are lost, a rule of the site for files takes them. */
function blameName(fault: Fault, { point: { path } }: LiveFact): Fault {
  const [, name] = /^GET .*\/check\/([^/?]+)\?/.exec(fault.sent) ?? []
  if (name === undefined) return fault
  const fix = `Put the point before the rules for files and hidden names: everything below ${path} goes to the service`
  const method = fault.isLost ? `GET …/${name}` : fault.method
  const what = 'a rule of the site for such names answers in place of the service'
  return blameLost({ ...fault, method }, path, what, fix)
}

function blameLost(fault: Fault, path: string, why: string, fix: string): Fault {
  if (!fault.isLost) return fault
  const what = `${why}, ${fault.what.replace(/^[^,]*, /, '')}`
  return { ...fault, what, fix, remedy: (advice) => advice.forwardBelow(path) }
}

type Result = 'as-sent' | 'unclear' | 'inconclusive' | Fault

/** Judges by the stand-in's report, which for HEAD is a field. */
function judgeArrival(fact: LiveFact, { question, reply }: Observation): Result {
  const answer = reply.standIn
  if (answer !== undefined) return findDifference(fact, question, answer) ?? 'as-sent'
  const arrived = standInMethod(reply)
  if (arrived === undefined) return describeLoss(fact, question, reply)
  return arrived === question.method ? 'as-sent' : describeMethod(question.method, arrived)
}

/** Judges by what continuation-point vouches for. An answer without that is not from behind it. */
function judgeVouched(fact: LiveFact, observation: Observation): Result {
  const { question, reply } = observation
  const { arrived } = vouchedOf(observation) ?? {}
  if (arrived === undefined) return describeLoss(fact, question, reply)
  const { method, rest } = question
  if (arrived.method === false) return describeMethod(method, 'another method')
  const sent = removeMarker(`${method} ${fact.servicePath}${rest}`)
  const evidence = { method, sent, arrived: 'continuation-point, behind your web server, got something else' }
  if (arrived.path === false) return { ...evidence, ...CHANGED_TARGET, what: notAsSent('path') }
  if (arrived.query === false) return { ...evidence, ...CHANGED_TARGET, what: notAsSent('query') }
  return arrived.body === false ? { ...evidence, ...CHANGED_BODY } : 'as-sent'
}

/** Judges by the service's own answers: another kind is not the service's, and where they differ, it shows what arrived. */
function compareAll(fact: LiveFact): readonly Result[] {
  const aspects = readContrasts(fact, 'method')
  const changed = aspects.flatMap((shown) => (shown.outcome === 'lost' ? describeChange(fact, shown) : []))
  const hasChanged = (observation: Observation) =>
    aspects.some((each) => each.observation === observation && each.outcome === 'lost')
  const kinds = observationsFor(fact, 'method', 'file').flatMap((observation): Result | readonly [] => {
    const { question, reply, direct } = observation
    if (direct?.kind !== 'response') return 'inconclusive'
    if (isSameKind(direct, reply)) return 'as-sent'
    return hasChanged(observation) ? [] : describeLoss(fact, question, reply)
  })
  const unclear = aspects.flatMap(({ outcome }): readonly Result[] =>
    outcome === 'same' || outcome === 'neither' ? ['unclear'] : [],
  )
  return [...changed, ...kinds, ...unclear]
}

/** What the service received in place of what was sent: it answers as it would to that. */
function describeChange({ servicePath }: LiveFact, { observation: { question }, aspect }: Shown): Fault {
  const { method, rest, body = '' } = question
  if (aspect === 'method') return describeMethod(method, 'GET')
  const sent = removeMarker(`${method} ${servicePath}${rest}`)
  const evidence = { method, sent, arrived: 'the service answers as without it' }
  if (aspect === 'body') return { ...evidence, ...CHANGED_BODY, sent: `${method} with ${body.length} bytes` }
  return { ...evidence, ...CHANGED_TARGET, what: aspect === 'path' ? DECODED : notAsSent('query') }
}

function describeLoss(fact: LiveFact, { method, rest, body }: Observation['question'], reply: Reply): Result {
  const { servicePath } = fact
  if (readOwnRefusal(reply)?.reason === 'body-taken') {
    return {
      method,
      what: 'something in front of the point reads its body first',
      fix: FAILURES['body-taken'].next.slice(0, -1),
      remedy: undefined,
      sent: `${method} with ${body?.length ?? 0} bytes`,
      arrived: String(evidenceOf(reply).arrived),
    }
  }
  if (!isConclusive(reply)) {
    const without = observationsFor(fact, 'method').find(
      ({ question }) => question.method === method && question.body === undefined,
    )
    if (body === undefined || without?.reply.kind !== 'response') return 'inconclusive'
    return {
      method,
      what: 'with a body it gets no answer, and without one it does',
      fix: 'Put the point before whatever reads bodies (a body parser of the app), or pass on what it read',
      sent: `${method} with ${body.length} bytes`,
      arrived: describeReply(reply),
    }
  }
  return {
    method,
    what: `it does not reach the service, ${describeReply(reply)}`,
    fix: 'Let every method through to the service, below the whole path of the point',
    sent: `${method} ${removeMarker(`${servicePath}${rest}`)}`,
    arrived: String(evidenceOf(reply).arrived),
    isLost: true,
  }
}

function describeMethod(method: string, received: string): Fault {
  const arrived = escapeAndCut(received)
  const fix = 'Forward the method unchanged'
  return { method, what: `it arrives as ${arrived}`, fix, sent: method, arrived }
}

function findDifference(
  { servicePath }: LiveFact,
  { method, rest, body = '' }: Observation['question'],
  report: StandInReport,
): Fault | undefined {
  const { received } = report
  if (received.method !== method) return describeMethod(method, received.method)
  const sent = `${servicePath}${rest}`
  if (received.target !== sent) {
    return {
      ...CHANGED_TARGET,
      method,
      what: describePathFault(sent, received.target),
      sent: removeMarker(sent),
      arrived: escapeAndCut(removeMarker(received.target)),
    }
  }
  if (hasBody(report, body)) return undefined
  return {
    ...CHANGED_BODY,
    method,
    sent: `${method} with ${body.length} bytes`,
    arrived: `${received.body.octets} bytes${received.body.octets === body.length ? ', but different ones' : ''}`,
  }
}

function describePathFault(sent: string, arrived: string): string {
  const [sentPath = ''] = sent.split('?', 1)
  const [arrivedPath = ''] = arrived.split('?', 1)
  if (arrivedPath === sentPath) return notAsSent('query')
  if (decode(arrived) === sent) return 'path and query arrive encoded once more'
  if (decode(arrivedPath) === decode(sentPath)) return DECODED
  return sentPath.startsWith(arrivedPath) ? 'the path arrives cut' : 'a different path arrives'
}

/** Without the marker, which is new in every run and would hide the difference. */
function removeMarker(target: string): string {
  return target.replace(/check=[\w-]+/, 'check=…')
}

function decode(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (encoded) =>
    String.fromCharCode(Number.parseInt(encoded.slice(1), 16)),
  )
}

function notAsSent(part: 'path' | 'query' | 'body'): string {
  return `the ${part} does not arrive as it was sent`
}

const ALL_METHODS: Remedy = (advice) => advice.allowMethods
const DECODED = 'the path arrives decoded or re-encoded'
const CHANGED_BODY = { what: notAsSent('body'), fix: 'Forward the body unchanged' }
const CHANGED_TARGET: Pick<Fault, 'fix' | 'remedy'> = {
  fix: 'Forward path and query byte for byte',
  remedy: (advice) => advice.keepRawPath,
}
