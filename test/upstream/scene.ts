import { expect } from 'vitest'
import { openForTest } from '../support/open-for-test.ts'
import type { RawClient } from '../support/raw-client.ts'
import {
  answerOk,
  type RecordingUpstream,
  type Script,
  type UpstreamOptions,
} from '../support/recording-upstream.ts'
import { codeOf, openStage, type Stage, statusOf } from '../support/stage.ts'
import { POINT_HOST } from '../support/start-proxy.ts'
import type { WireMessage } from '../support/wire.ts'

/** A stage for one test, whose service answers `expectHealthy` whatever its script says. */
export interface Scene extends Stage {
  /** Requests that the service saw, those of `expectHealthy` left out. */
  seen(): number
}

export interface SceneOptions {
  /** Config on top of the one that `startProxy` gives. */
  readonly config?: Record<string, unknown>
  readonly upstream?: UpstreamOptions
  /** Address of the service, when it is not the scripted one's own. */
  readonly serviceUrl?: (upstream: RecordingUpstream) => string
}

/** Opens a scene. The script meets every request but that of `expectHealthy`. */
export async function openScene(script: Script = answerOk, options: SceneOptions = {}): Promise<Scene> {
  const { config, upstream, serviceUrl } = options
  const both: Script = (request, socket) =>
    (isHealthy(request.startLine) ? answerOk : script)(request, socket)
  const stage = await openForTest(openStage(config, both, upstream, serviceUrl))
  const seen = () => stage.upstream.requests.filter(({ startLine }) => !isHealthy(startLine)).length
  return { ...stage, seen }
}

/** Octets of a request without body to the root of the first point. */
export function get(parts: { method?: string; version?: '1.0' | '1.1'; lines?: string } = {}): string {
  const { method = 'GET', version = '1.1', lines = '' } = parts
  return `${method} ${PATH} HTTP/${version}\r\nHost: ${POINT_HOST}\r\n${lines}\r\n`
}

/** Octets of a request with a body, framed by Content-Length. */
export function send(method: string, body: string, lines = ''): string {
  return get({ method, lines: `Content-Length: ${body.length}\r\n${lines}` }) + body
}

/** What a client got: a whole answer, or one that was visibly cut off. */
export interface Received {
  readonly status: number | undefined
  /** `code` of a problem document. */
  readonly code: string | undefined
  readonly end: 'whole' | 'broken'
  readonly answer: WireMessage | undefined
}

/** Waits for a whole answer, or for the connection to end without one. */
export async function receive(client: RawClient, method = 'GET'): Promise<Received> {
  const answer = await client.response(method).catch(() => undefined)
  if (answer !== undefined) return { status: statusOf(answer), code: codeOf(answer), end: 'whole', answer }
  await client.ended()
  const [, status] = /^HTTP\/1\.1 ([0-9]{3}) /.exec(client.pending()) ?? []
  return { status: status === undefined ? undefined : Number(status), code: undefined, end: 'broken', answer }
}

/** A request on a fresh connection, and on `client` when it lives on, gets the healthy answer. */
export async function expectHealthy(scene: Scene, client?: RawClient): Promise<void> {
  for (const connection of client === undefined ? [''] : [client, '']) {
    const asked = typeof connection === 'string' ? await scene.ask('') : connection
    asked.write(`GET ${HEALTHY_PATH} HTTP/1.1\r\nHost: ${POINT_HOST}\r\n\r\n`)
    const answer = await asked.response()
    expect(answer.startLine).toBe('HTTP/1.1 200 OK')
    expect(answer.body).toBe('ok')
  }
}

function isHealthy(startLine: string): boolean {
  return startLine === `GET ${HEALTHY_PATH} HTTP/1.1`
}

export const PATH = '/service_cookie_transfer/'
const HEALTHY_PATH = '/service_cookie_transfer/healthy'
