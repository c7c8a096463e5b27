import type { Secret } from '../../config/secret.ts'
import type { Fields } from '../../http/fields.ts'
import type { Point } from '../../points/point.ts'
import {
  type Endpoint,
  type Probe,
  type ProbeReply,
  type ProbeRequest,
  parseEndpoint,
} from '../../probe/probe.ts'
import type { ParsedUrl } from '../parsed-url.ts'
import {
  type Contrast,
  type DirectFact,
  FORGED,
  type Observation,
  openAddress,
  type Question,
  type Reach,
} from '../read/live-fact.ts'
import { waitOutLimit } from './asker.ts'
import { changeOneAspect } from './questions.ts'

/** Asks the service directly, below `servicePath` and with additional fields. */
export type AskService = (
  question: Question,
  servicePath: string,
  fields: Fields,
  host?: string,
) => Promise<ProbeReply>

/** What it takes to ask the service as a point of this account would. */
export interface DirectSource {
  readonly askService: AskService
  /** Sent to the service only. */
  readonly widgetKey: Secret | undefined
  readonly servicePath: string
  readonly origin: string
}

/** Resolves the service once, at the first question. */
export function serviceAsker(parsed: ParsedUrl, probe: Probe): AskService {
  const endpoint = parseEndpoint(parsed.url)
  let address: Promise<string | undefined> | undefined
  const send = waitOutLimit(async (request: ProbeRequest): Promise<ProbeReply> => {
    address ??= observeReach(endpoint, probe).then(openAddress)
    const open = await address
    if (open === undefined) return { kind: 'none', cause: 'refused', code: 'unreachable' }
    return probe.send(endpoint, open, request)
  }, probe.pause)
  return ({ method, rest, fields, body }, servicePath, further, host) =>
    send({
      method,
      target: `${servicePath}${rest}`,
      fields: [...fields, ...further],
      body,
      ...(host !== undefined && { host }),
    })
}

/** Asks the verification question without the fields, with the right ones (twice), and with each of them wrong. */
export async function askDirectly(question: Question, source: DirectSource): Promise<DirectFact> {
  const { askService, widgetKey, servicePath, origin } = source
  const ask = (fields: Fields) => askService(question, servicePath, fields)
  const bare = await ask([])
  if (widgetKey === undefined) return { kind: 'not-asked', bare }
  // A service that hangs is not waited for again.
  if (bare.kind === 'none') {
    return { kind: 'asked', bare, right: bare, again: bare, wrongOrigin: bare, wrongKey: bare }
  }
  const key = widgetKey.reveal()
  return {
    kind: 'asked',
    bare,
    right: await ask(listFields(key, origin)),
    again: await ask(listFields(key, origin)),
    wrongOrigin: await ask(listFields(key, FORGED.origin)),
    wrongKey: await ask(listFields(FORGED.widgetKey, origin)),
  }
}

/** Asks as a correct point would; `undefined` without a widget key. */
export async function askAsPoint(question: Question, source: DirectSource): Promise<ProbeReply | undefined> {
  const { askService, widgetKey, servicePath, origin } = source
  return widgetKey && askService(question, servicePath, listFields(widgetKey.reveal(), origin))
}

/** The service's own answers if the point's Host arrived in place of its own, or the path cut, or with the cookie path. */
export async function askWithOthers(
  question: Question,
  { authority, path }: Point,
  { askService, widgetKey, servicePath, origin }: DirectSource,
): Promise<readonly Contrast[]> {
  if (widgetKey === undefined) return []
  const fields = listFields(widgetKey.reveal(), origin)
  const contrasts: Contrast[] = [
    { aspect: 'host', reply: await askService(question, servicePath, fields, authority) },
  ]
  for (const other of path === servicePath ? ['/'] : [path, '/'])
    contrasts.push({ aspect: 'path', path: other, reply: await askService(question, other, fields) })
  return contrasts
}

/**
 * The service's own answers to a question with one aspect changed. Without a Cookie line the service was asked before; the
 * other methods would arrive as GET.
 */
export async function askContrasts(
  question: Question,
  asked: readonly Observation[],
  { right }: Extract<DirectFact, { readonly kind: 'asked' }>,
  source: DirectSource,
): Promise<readonly Contrast[]> {
  const { purpose, method } = question
  if (purpose === 'cookie' || purpose === 'header-size') return [{ aspect: 'cookie', reply: right }]
  const get = asked.find((each) => each.question.purpose === purpose && each.question.method === 'GET')
  const contrasts: Contrast[] = []
  // A HEAD that arrives as GET gets the same answer.
  if (get?.direct !== undefined && method !== 'HEAD') contrasts.push({ aspect: 'method', reply: get.direct })
  for (const changed of changeOneAspect(question)) {
    const reply = await askAsPoint(changed.question, source)
    if (reply !== undefined) contrasts.push({ aspect: changed.aspect, reply })
  }
  return contrasts
}

function listFields(widgetKey: string, origin: string): Fields {
  return ['X-Widget-Key', widgetKey, 'X-Continuation-Origin', origin]
}

/**
 * Resolves an endpoint and tries each of its addresses. Of the two addresses of a loopback name, the first that accepts is
 * enough, since both lead to this machine.
 */
export async function observeReach(endpoint: Endpoint, probe: Probe): Promise<Reach> {
  const resolution = await probe.resolve(endpoint)
  if (resolution.kind !== 'resolved') return { resolution, attempts: [] }
  const attempts: Reach['attempts'][number][] = []
  for (const address of resolution.addresses.slice(0, MOST_ADDRESSES)) {
    const connection = await probe.connect(endpoint, address)
    attempts.push({ address, connection })
    if (resolution.by === 'loopback' && connection.kind === 'open') break
  }
  return { resolution, attempts }
}

const MOST_ADDRESSES = 8
