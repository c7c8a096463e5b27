import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type ClientTls, openClient, type RawClient } from './raw-client.ts'
import {
  type RecordingUpstream,
  type Script,
  startUpstream,
  type UpstreamOptions,
} from './recording-upstream.ts'
import { POINT_HOST, type RunningProxy, startProxy, WIDGET_KEY } from './start-proxy.ts'
import { until } from './until.ts'
import { onlyValue, type WireMessage } from './wire.ts'

/** A proxy with a service behind it, to which a test sends one raw request after the other. */
export interface Stage {
  readonly upstream: RecordingUpstream
  readonly proxy: RunningProxy
  /** Opens a connection to the proxy, until the test ends, and writes octets on it. */
  ask(octets: string, tls?: ClientTls): Promise<RawClient>
  /** Sends octets on a new connection and returns the outcome. */
  play(octets: string): Promise<Played>
  /** Plays octets, and expects the service to see one request of these parts. */
  expectForwarded(octets: string, parts?: Forwarded, connection?: Played['connection']): Promise<void>
  /** Plays octets, and expects an answer of ours, while the service sees nothing. */
  expectRefused(
    octets: string,
    status: number,
    code: string,
    connection?: Played['connection'],
  ): Promise<void>
  close(): Promise<void>
}

/** The outcome of a request. */
export interface Played {
  readonly status: number
  /** `code` of the problem document, or `undefined` if the response is something else. */
  readonly code: string | undefined
  /** The requests that the service saw, octet for octet. */
  readonly forwarded: readonly string[]
  /** `open` if the connection served a valid request afterwards. */
  readonly connection: 'open' | 'closed'
}

/** Opens a stage; the arguments are those of `startProxy` and `startUpstream`. */
export async function openStage(
  overrides: Record<string, unknown> = {},
  script?: Script,
  options?: UpstreamOptions,
  toServiceUrl = ({ origin }: RecordingUpstream) => origin,
): Promise<Stage> {
  const upstream = await startUpstream(script, options)
  const proxy = await startProxy(toServiceUrl(upstream), overrides)
  const stage: Stage = {
    upstream,
    proxy,
    ask: async (octets, tls) => {
      const client = await openClient(proxy.port, tls)
      onTestFinished(client.close)
      client.write(octets)
      return client
    },
    play: (octets) => play(upstream, proxy, octets),
    expectForwarded: async (octets, parts, connection = 'open') => {
      const expected = { status: 200, forwarded: [forwarded(stage, parts)], connection }
      expect(await stage.play(octets)).toEqual(expected)
    },
    expectRefused: async (octets, status, code, connection = 'open') => {
      expect(await stage.play(octets)).toEqual({ status, code, forwarded: [], connection })
    },
    close: async () => {
      await proxy.close()
      await upstream.close()
    },
  }
  return stage
}

/** A stage for the tests of the file or group that asks for it, open while they run. */
export function setUpStage(...options: Parameters<typeof openStage>): Stage {
  const stage = {} as Stage
  beforeAll(async () => void Object.assign(stage, await openStage(...options)))
  afterAll(() => stage.close())
  return stage
}

/** `it` with a stage of its own, with the default config: `itOnStage(name, async ({ stage }) => …)`. */
export const itOnStage = it.extend<{ stage: Stage }>({
  stage: async ({ task: _task }, use) => {
    const stage = await openStage()
    await use(stage)
    await stage.close()
  },
})

/** The parts of a forwarded request that differ between tests. */
export interface Forwarded {
  readonly method?: string
  readonly path?: string
  /** Field lines between those of the connection and ours, each with CRLF. */
  readonly lines?: string
  readonly origin?: string
  /** `undefined` for none. */
  readonly forwardedFor?: string | undefined
  readonly via?: string
  /** What follows the lines that the proxy adds: framing, the empty line, the body. */
  readonly rest?: string
}

/** The octets that the service must see. Order: Host and Connection, the client's lines, the proxy's own. */
export function forwarded(stage: Stage, parts: Forwarded = {}): string {
  const { method = 'GET', path = '/service_cookie_transfer/', lines = '', rest = '\r\n' } = parts
  const { origin = `http://${POINT_HOST}`, via = '1.1 continuation-point' } = parts
  const forwardedFor = 'forwardedFor' in parts ? parts.forwardedFor : '127.0.0.1'
  const forwardedForLine = forwardedFor === undefined ? '' : `X-Forwarded-For: ${forwardedFor}\r\n`
  const isUsedAgain = method !== 'HEAD' && (rest === '\r\n' || ['POST', 'PUT', 'PATCH'].includes(method))
  const connection = isUsedAgain ? 'keep-alive' : 'close'
  return (
    `${method} ${path} HTTP/1.1\r\nhost: ${stage.upstream.authority}\r\nconnection: ${connection}\r\n${lines}` +
    `X-Widget-Key: ${WIDGET_KEY}\r\nX-Continuation-Origin: ${origin}\r\n${forwardedForLine}Via: ${via}\r\n${rest}`
  )
}

async function play(upstream: RecordingUpstream, proxy: RunningProxy, octets: string): Promise<Played> {
  const requestsBefore = upstream.requests.length
  const client = await openClient(proxy.port)
  const recordsBefore = proxy.records.length
  client.write(octets)
  const answer = await client.response(octets.slice(0, octets.indexOf(' ')))
  const connection = isLast(answer) ? 'closed' : 'open'
  if (connection === 'open') await expectHealthy(client)
  else expect(await client.ended()).toBe('end')
  client.close()
  const other = await openClient(proxy.port)
  await expectHealthy(other)
  other.close()
  await proxy.recorded(recordsBefore + (connection === 'open' ? 3 : 2))
  await until(() => proxy.proxy.traffic.inFlight === 0)
  return {
    status: statusOf(answer),
    code: codeOf(answer),
    forwarded: upstream.requests
      .slice(requestsBefore)
      .map((request) => request.octets)
      .filter(isNotHealthy),
    connection,
  }
}

/** Reads the next response, and expects the answer of a failure. */
export async function expectAnswer(client: RawClient, status: number, code: string): Promise<void> {
  const answer = await client.response()
  expect([statusOf(answer), codeOf(answer)]).toEqual([status, code])
}

/** Status code of an answer. */
export function statusOf(answer: WireMessage): number {
  return Number(answer.startLine.split(' ')[1])
}

/** `code` of a problem document. */
export function codeOf(answer: WireMessage): string | undefined {
  const type = onlyValue(answer.fields, 'content-type')
  if (type !== 'application/problem+json' || answer.body === '') return undefined
  return (JSON.parse(answer.body) as { code: string }).code
}

async function expectHealthy(client: RawClient): Promise<void> {
  client.write(HEALTHY)
  const answer = await client.response()
  expect(answer.startLine).toBe('HTTP/1.1 200 OK')
}

function isLast(answer: WireMessage): boolean {
  return onlyValue(answer.fields, 'connection')?.toLowerCase() === 'close'
}

function isNotHealthy(octets: string): boolean {
  return !octets.startsWith(`GET ${HEALTHY_PATH} `)
}

const HEALTHY_PATH = '/service_cookie_transfer/healthy'
const HEALTHY = `GET ${HEALTHY_PATH} HTTP/1.1\r\nHost: ${POINT_HOST}\r\n\r\n`
