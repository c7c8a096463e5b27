import type { Secret } from '../../config/secret.ts'
import type { Fields } from '../../http/fields.ts'
import { type Endpoint, type Probe, type ProbeRequest, parseEndpoint } from '../../probe/probe.ts'
import type { ParsedUrl } from '../parsed-url.ts'
import {
  type Contrast,
  FORGED,
  type LiveFact,
  type Observation,
  openAddress,
  type Question,
  type Reach,
  type Reply,
} from '../read/live-fact.ts'
import { waitOutLimit } from './asker.ts'
import { condense } from './condense.ts'
import { DEEP_PATH } from './questions.ts'

/** Asks the service directly, below a path. */
export type AskService = ReturnType<typeof serviceAsker>

/** Resolves the service once, at the first question. */
export function serviceAsker(parsed: ParsedUrl, probe: Probe) {
  const endpoint = parseEndpoint(parsed.url)
  let address: Promise<string | undefined> | undefined
  const send = waitOutLimit(async (request: ProbeRequest): Promise<Reply> => {
    address ??= observeReach(endpoint, probe).then(openAddress)
    const open = await address
    if (open === undefined) return { kind: 'none', cause: 'refused', code: 'unreachable' }
    return probe.send(endpoint, open, request)
  }, probe.pause)
  return async (
    question: Question,
    sent: { readonly path: string; readonly fields: Fields; readonly host?: string },
  ) => {
    const { method, rest, body } = question
    const { path, ...others } = sent
    const fields = [...question.fields, ...sent.fields]
    return condense(await send({ method, target: `${path}${rest}`, body, ...others, fields }), question)
  }
}

/** Asks the service as a correct point would, but for what is given. */
export type AskAsPoint = ReturnType<typeof pointAsker>

export function pointAsker(
  askService: AskService,
  right: { readonly origin: string; readonly widgetKey: Secret; readonly path: string },
) {
  return (
    question: Question,
    given: Partial<Record<'origin' | 'widgetKey' | 'path' | 'host', string>> = {},
  ) => {
    const { origin, widgetKey, ...rest } = { ...right, widgetKey: right.widgetKey.reveal(), ...given }
    const fields = ['X-Widget-Key', widgetKey, 'X-Continuation-Origin', origin]
    return askService(question, { ...rest, fields })
  }
}

/** Asks the verification question with the right fields (twice), and with each of them wrong. */
export async function askDirectly(
  question: Question,
  bare: Reply,
  ask: AskAsPoint,
): Promise<NonNullable<LiveFact['direct']>> {
  // A service that hangs is not waited for again.
  if (bare.kind === 'none') return { right: bare, again: bare, wrongOrigin: bare, wrongKey: bare }
  return {
    right: await ask(question),
    again: await ask(question),
    wrongOrigin: await ask(question, { origin: FORGED.origin }),
    wrongKey: await ask(question, { widgetKey: FORGED.widgetKey }),
  }
}

/** The service's own answers if the point's Host arrived in place of its own, or the path cut, or with the cookie path. */
export async function askWithOthers(
  question: Question,
  { point: { authority, path }, servicePath }: LiveFact,
  ask: AskAsPoint,
): Promise<readonly Contrast[]> {
  const contrasts: Contrast[] = [{ aspect: 'host', reply: await ask(question, { host: authority }) }]
  for (const other of path === servicePath ? ['/'] : [path, '/'])
    contrasts.push({ aspect: 'path', path: other, reply: await ask(question, { path: other }) })
  return contrasts
}

/** The service's own answers to a question with one aspect changed; the other methods would arrive as GET. */
export async function askContrasts(
  question: Question,
  asked: readonly Observation[],
  right: Reply,
  ask: AskAsPoint,
): Promise<readonly Contrast[]> {
  const { purpose, method, rest, body } = question
  if (purpose === 'cookie' || purpose === 'header-size') return [{ aspect: 'cookie', reply: right }]
  if (purpose !== 'method') return []
  const contrasts: Contrast[] = []
  const change = async (aspect: Contrast['aspect'], changed: Partial<Question>) =>
    contrasts.push({ aspect, reply: await ask({ ...question, ...changed }) })
  const get = asked.find((each) => each.question.purpose === purpose && each.question.method === 'GET')
  // A HEAD that arrives as GET gets the same answer.
  if (get?.direct !== undefined && method !== 'HEAD') contrasts.push({ aspect: 'method', reply: get.direct })
  if (body !== undefined) await change('body', { body: undefined })
  if (method !== 'GET') return contrasts
  await change('path', { rest: rest.replace(DEEP_PATH, decodeURIComponent(DEEP_PATH)) })
  await change('query', { rest: DEEP_PATH })
  return contrasts
}

/** Resolves an endpoint and tries each address; of the two of a loopback name, both this machine, the first that accepts is enough. */
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
