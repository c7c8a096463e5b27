import { STATUS_CODES } from 'node:http'
import { type Fields, valuesOf } from '../../../src/http/fields.ts'
import type { Case, Manner } from './cases/case.ts'
import type { CaseResponse, CaseRun, RunFacts, SentRequest } from './cases/run.ts'
import {
  type Client,
  type OpenClient,
  openClient,
  type PointAddress,
  type SentExchange,
  type WireRequest,
} from './client.ts'
import { type Gate, happens } from './gate.ts'
import { type OriginServer, SCRIPT_FIELD, type Script } from './origin-server.ts'

export interface RunnerSettings {
  readonly place: PointAddress
  readonly originServer: OriginServer
  /** Default: one connection of HTTP/1.1. */
  readonly open?: OpenClient
  readonly facts: RunFacts
  readonly userAgent: string
  /** Timeout for a step of one end that the other end waits for. Default: two seconds. */
  readonly stepLimitMs?: number
}

/** Timeout for a complete response. */
export const REPLY_LIMIT_MS = 10_000

/** Runs a case between a client and the origin server. */
export async function runCase(row: Case, given: RunnerSettings): Promise<CaseRun> {
  const settings = { open: openClient, stepLimitMs: 2_000, ...given }
  const { originServer, place, open, facts } = settings
  const sent = { ...DEFAULT_REQUEST, ...row.send, fields: filled(row.send?.fields ?? [], facts) }
  const { status = 200, reason = STATUS_CODES[status] ?? '' } = row.response ?? {}
  const fields = filled(row.response?.fields ?? [], facts)
  const response = { ...DEFAULT_RESPONSE, ...row.response, status, reason, fields }
  const manner = row.manner ?? 'at-once'
  const script = originServer.script(response, manner)
  const client = await open(place, REPLY_LIMIT_MS)
  if (client === undefined)
    return { facts, sent, response, arrivals: [], reply: NO_CONNECTION, happened: false }
  const request = buildRequest(sent, manner, script.mark, settings)
  const observed = await MANNERS[manner](client, request, script, settings)
  client.close()
  return { facts, sent, response, arrivals: [...script.arrivals], ...observed }
}

function filled(fields: Fields, facts: RunFacts): Fields {
  return fields.map((text) =>
    text
      .replace('{service}', facts.serviceAuthorities[0] ?? '')
      .replace('{origin}', facts.point.origin)
      .replace('{page}', facts.pageOrigin),
  )
}

function buildRequest(
  { method, base, path, fields, body, framing }: Required<SentRequest>,
  manner: Manner,
  mark: string,
  { facts: { point }, userAgent }: RunnerSettings,
): WireRequest {
  const half = Math.ceil(body.length / 2)
  const hasBody = body !== '' || framing === 'chunked'
  return {
    method,
    target: `${base === 'bare' ? point.path.slice(0, -1) : point.path}${path}`,
    fields: ['Host', point.authority, 'User-Agent', userAgent, SCRIPT_FIELD, mark, ...fields],
    parts: manner === 'half-upload' ? [body.slice(0, half), body.slice(half)] : hasBody ? [body] : [],
    framing: hasBody ? framing : 'none',
  }
}

type Conduct = (
  client: Client,
  request: WireRequest,
  script: Script,
  settings: Required<RunnerSettings>,
) => Promise<Pick<CaseRun, 'reply' | 'happened'>>

/** One after the other, as long as there is a response. */
function times(count: number): Conduct {
  return async (client, request) => {
    let reply = await replyOf(client.send(request))
    for (let sent = 1; sent < count && reply.kind === 'response'; sent += 1) {
      reply = await replyOf(client.send(request))
    }
    return { reply, happened: reply.kind === 'response' }
  }
}

/** One end continues when the other has received something, or after a timeout. */
function afterStep(
  stepOf: (exchange: SentExchange, script: Script) => readonly [awaited: Gate, next: Gate],
): Conduct {
  return async (client, request, script, { stepLimitMs }) => {
    const exchange = client.send(request)
    const [awaited, next] = stepOf(exchange, script)
    const happened = await happens(awaited.opened, stepLimitMs)
    next.open()
    return { reply: await replyOf(exchange), happened }
  }
}

const leave: Conduct = async (client, request, script, { stepLimitMs }) => {
  client.send(request)
  await happens(script.asked.opened, stepLimitMs)
  client.close()
  const happened = await happens(script.left.opened, stepLimitMs)
  return { reply: { kind: 'none', code: 'left' }, happened }
}

/** Once more on another connection, with further fields; only once without a response or those fields. */
function again(furtherOf: (script: Script) => Fields | undefined): Conduct {
  return async (client, request, script, { open, place }) => {
    const first = await replyOf(client.send(request))
    const further = furtherOf(script)
    if (first.kind === 'none' || further === undefined) return { reply: first, happened: false }
    const second = await open(place, REPLY_LIMIT_MS)
    if (second === undefined) return { reply: NO_CONNECTION, happened: false }
    const reply = await replyOf(second.send({ ...request, fields: [...request.fields, ...further] }))
    second.close()
    return { reply, happened: true }
  }
}

function arrivedVia({ arrivals }: Script): Fields | undefined {
  const via = valuesOf(arrivals[0]?.fields ?? [], 'via')
  return via.length === 0 ? undefined : via.flatMap((value) => ['Via', value])
}

async function replyOf({ reply }: SentExchange): Promise<CaseResponse> {
  return (await happens(reply, REPLY_LIMIT_MS)) ? reply : { kind: 'none', code: 'timeout' }
}

const MANNERS: Readonly<Record<Manner, Conduct>> = {
  'at-once': times(1),
  'hints-first': times(1),
  'service-leaves': times(1),
  'service-cuts': afterStep(({ body }, { release }) => [body, release]),
  'head-first': afterStep(({ head }, { release }) => [head, release]),
  'half-first': afterStep(({ body }, { release }) => [body, release]),
  'half-upload': afterStep(({ rest }, { uploading }) => [uploading, rest]),
  'client-leaves': leave,
  twice: times(2),
  often: times(6),
  again: again(() => []),
  looped: again(arrivedVia),
}

const DEFAULT_REQUEST: Required<SentRequest> = {
  method: 'GET',
  base: 'point',
  path: '_conformance/case',
  fields: [],
  body: '',
  framing: 'length',
}

const DEFAULT_RESPONSE = { body: 'The service answered.\n', framing: 'length' } as const

const NO_CONNECTION: CaseResponse = { kind: 'none', code: 'unconnected' }
