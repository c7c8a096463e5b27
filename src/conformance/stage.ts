import { type Fields, valuesOf } from '../http/fields.ts'
import type { Case, Manner } from './case.ts'
import {
  type Client,
  type OpenClient,
  openClient,
  type PointAddress,
  type SentExchange,
  type WireRequest,
} from './client.ts'
import { type Gate, happens } from './gate.ts'
import type { CaseResponse, Play, PlayEvent, ScriptedAnswer, SentRequest, StageFacts } from './play.ts'
import { SCENE_FIELD, type Scene, type Witness } from './witness.ts'

/** Runs cases: the only part of the suite that uses the network. */
export interface Stage {
  readonly facts: StageFacts
  play(row: Case): Promise<Play>
}

export interface StageSettings {
  readonly place: PointAddress
  readonly witness: Witness
  /** Default: one connection of HTTP/1.1. */
  readonly open?: OpenClient
  readonly facts: StageFacts
  /** `host[:port]` of the point. */
  readonly authority: string
  /** The point's path, trailing slash included. */
  readonly path: string
  readonly userAgent: string
  /** Timeout for a complete response. */
  readonly replyLimitMs: number
  /** Timeout for a step of one end that the other end waits for. */
  readonly stepLimitMs: number
}

/** Runs cases between a client and a witness, one after the other. */
export function openStage(settings: StageSettings): Stage {
  return { facts: settings.facts, play: (row) => play(row, settings) }
}

async function play(row: Case, settings: StageSettings): Promise<Play> {
  const { witness, place, open = openClient, replyLimitMs, facts } = settings
  const sent = { ...DEFAULT_REQUEST, ...row.send, fields: filled(row.send?.fields ?? [], facts) }
  const answer = { ...DEFAULT_ANSWER, ...row.answer, fields: filled(row.answer?.fields ?? [], facts) }
  const manner = row.manner ?? 'at-once'
  const scene = witness.play(answer, manner)
  const client = await open(place, replyLimitMs)
  if (client === undefined) {
    return { stage: facts, sent, answer, arrivals: [], reply: NO_CONNECTION, events: new Set() }
  }
  const request = toWireRequest(sent, manner, scene.mark, settings)
  const performed = await MANNERS[manner](client, request, scene, settings)
  client.close()
  const { reply, event } = performed
  const events = new Set(event === undefined ? [] : [event])
  return { stage: facts, sent, answer, arrivals: [...scene.arrivals], reply, events }
}

function filled(fields: Fields, facts: StageFacts): Fields {
  return fields.map((text) =>
    text
      .replace('{service}', facts.serviceAuthorities[0] ?? '')
      .replace('{origin}', facts.origin)
      .replace('{page}', facts.pageOrigin),
  )
}

function toWireRequest(
  { method, base, path, fields, body, framing }: Required<SentRequest>,
  manner: Manner,
  mark: string,
  { authority, path: pointPath, userAgent }: StageSettings,
): WireRequest {
  const half = Math.ceil(body.length / 2)
  const hasBody = body !== '' || framing === 'chunked'
  return {
    method,
    target: `${base === 'bare' ? pointPath.slice(0, -1) : pointPath}${path}`,
    fields: ['Host', authority, 'User-Agent', userAgent, SCENE_FIELD, mark, ...fields],
    parts: manner === 'half-upload' ? [body.slice(0, half), body.slice(half)] : hasBody ? [body] : [],
    framing: hasBody ? framing : 'none',
  }
}

interface Performed {
  readonly reply: CaseResponse
  readonly event?: PlayEvent
}

type Performance = (
  client: Client,
  request: WireRequest,
  scene: Scene,
  settings: StageSettings,
) => Promise<Performed>

const whole: Performance = async (client, request, _scene, settings) => ({
  reply: await replyOf(client.send(request), settings),
})

/** One end continues when the other has received something, or after a timeout. */
function afterStep(
  event: PlayEvent,
  stepOf: (exchange: SentExchange, scene: Scene) => { readonly awaited: Gate; readonly next: Gate },
): Performance {
  return async (client, request, scene, settings) => {
    const exchange = client.send(request)
    const { awaited, next } = stepOf(exchange, scene)
    const outcome = await happens([awaited.opened], settings.stepLimitMs)
    next.open()
    const reply = await replyOf(exchange, settings)
    return outcome === 'happened' ? { reply, event } : { reply }
  }
}

const leave: Performance = async (client, request, scene, { stepLimitMs }) => {
  client.send(request)
  await happens([scene.asked.opened], stepLimitMs)
  client.close()
  const outcome = await happens([scene.left.opened], stepLimitMs)
  const reply = { kind: 'none', code: 'left' } as const
  return outcome === 'happened' ? { reply, event: 'departure-seen' } : { reply }
}

const twice: Performance = async (client, request, _scene, settings) => {
  const first = await replyOf(client.send(request), settings)
  if (first.kind === 'none') return { reply: first }
  const reply = await replyOf(client.send(request), settings)
  return reply.kind === 'answer' ? { reply, event: 'connection-kept' } : { reply }
}

const often: Performance = async (client, request, _scene, settings) => {
  let reply = await replyOf(client.send(request), settings)
  for (let sent = 1; sent < OFTEN && reply.kind === 'answer'; sent += 1) {
    reply = await replyOf(client.send(request), settings)
  }
  return { reply }
}

const again: Performance = async (client, request, _scene, settings) => {
  const first = await replyOf(client.send(request), settings)
  if (first.kind === 'none') return { reply: first }
  const second = await (settings.open ?? openClient)(settings.place, settings.replyLimitMs)
  if (second === undefined) return { reply: NO_CONNECTION }
  const reply = await replyOf(second.send(request), settings)
  second.close()
  return { reply }
}

const looped: Performance = async (client, request, scene, settings) => {
  const first = await replyOf(client.send(request), settings)
  const via = valuesOf(scene.arrivals[0]?.fields ?? [], 'via')
  if (first.kind === 'none' || via.length === 0) return { reply: first }
  const fields = [...request.fields, ...via.flatMap((value) => ['Via', value])]
  const returned = await (settings.open ?? openClient)(settings.place, settings.replyLimitMs)
  if (returned === undefined) return { reply: NO_CONNECTION }
  const reply = await replyOf(returned.send({ ...request, fields }), settings)
  returned.close()
  return { reply, event: 'sent-again' }
}

async function replyOf({ reply }: SentExchange, { replyLimitMs }: StageSettings): Promise<CaseResponse> {
  const outcome = await happens([reply], replyLimitMs)
  return outcome === 'happened' ? reply : { kind: 'none', code: 'timeout' }
}

const MANNERS: Readonly<Record<Manner, Performance>> = {
  'at-once': whole,
  'service-leaves': whole,
  'service-cuts': whole,
  'head-first': afterStep('head-before-body', ({ head }, { release }) => ({ awaited: head, next: release })),
  'half-first': afterStep('half-before-rest', ({ body }, { release }) => ({ awaited: body, next: release })),
  'half-upload': afterStep('upload-before-end', ({ rest }, { uploading }) => ({
    awaited: uploading,
    next: rest,
  })),
  'client-leaves': leave,
  twice,
  often,
  again,
  looped,
}

const DEFAULT_REQUEST: Required<SentRequest> = {
  method: 'GET',
  base: 'point',
  path: '_conformance/case',
  fields: [],
  body: '',
  framing: 'length',
}

const DEFAULT_ANSWER: Required<ScriptedAnswer> = {
  status: 200,
  reason: 'OK',
  fields: [],
  body: 'The service answered.\n',
  framing: 'length',
}

const OFTEN = 6

const NO_CONNECTION: CaseResponse = { kind: 'none', code: 'unconnected' }
