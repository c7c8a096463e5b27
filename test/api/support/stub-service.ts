import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenForTest } from '../../support/listen.ts'

/** What arrived, as the service would see it. */
export interface Arrival {
  readonly method: string
  /** Path below `/v2`, without the query. */
  readonly path: string
  /** Decoded, in order. */
  readonly query: readonly (readonly [string, string])[]
  readonly contentType: string | undefined
  /** Parsed; absent when there was no body. */
  readonly body: unknown
}

export interface StubAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown
}

export type Respond = StubAnswer | ((arrival: Arrival, outgoing: ServerResponse) => StubAnswer | undefined)

/** A real server that answers as the test says and remembers what arrived. It ends with the test. */
export async function startStub(
  ...answers: readonly Respond[]
): Promise<{ readonly baseUrl: string; readonly arrivals: Arrival[] }> {
  const arrivals: Arrival[] = []
  const server = createServer(async (incoming, outgoing) => {
    const arrival = await toArrival(incoming)
    const respond = answers[Math.min(arrivals.length, answers.length - 1)] ?? {}
    arrivals.push(arrival)
    const answer = typeof respond === 'function' ? respond(arrival, outgoing) : respond
    if (answer !== undefined) send(outgoing, answer)
  })
  const port = await listenForTest(server)
  return { baseUrl: `http://127.0.0.1:${port}/v2`, arrivals }
}

async function toArrival(incoming: IncomingMessage): Promise<Arrival> {
  const url = new URL(incoming.url ?? '', 'http://stub')
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk
  return {
    method: incoming.method ?? '',
    path: url.pathname.replace(/^\/v2/, ''),
    query: [...url.searchParams],
    contentType: incoming.headers['content-type'],
    body: text === '' ? undefined : JSON.parse(text),
  }
}

function send(outgoing: ServerResponse, { status = 200, headers = {}, body }: StubAnswer): void {
  const type = typeof body === 'string' ? 'text/plain' : 'application/json'
  outgoing.writeHead(status, { 'content-type': type, ...headers })
  outgoing.end(typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body))
}
