import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { valuesOf } from '../../../src/http/fields.ts'
import { listen } from '../listen.ts'

/** A request or an answer on its way, whole. */
export interface Passing {
  readonly method: string
  readonly target: string
  readonly status: number
  /** Name, value, name, value… */
  readonly fields: readonly string[]
  readonly body: Buffer
}

/** What a front end does otherwise than it should; left out, it does it right. */
export interface Faults {
  /** Whether it closes the connection in place of an answer. */
  readonly closes?: (arrived: Passing, asked: number) => boolean
  /** Answers in place of forwarding; `undefined` forwards. */
  readonly answer?: (arrived: Passing, site: Site) => Partial<Passing> | undefined
  /** Changes the request that goes to the service. */
  readonly request?: (forwarded: Passing, arrived: Passing, site: Site) => Partial<Passing>
  /** Changes what comes back. */
  readonly response?: (answer: Passing, site: Site, arrived: Passing) => Partial<Passing>
  /** Whether it follows the redirects of the service. */
  readonly follows?: true
  /** Whether it forwards this target outside of every point; otherwise the site answers it. */
  readonly forwards?: (target: string) => boolean
}

export interface Site {
  /** `http://www.shop.localhost:port`. */
  readonly origin: string
  readonly authority: string
  /** Lives as long as the front end: a cache, a counter. */
  readonly memory: Map<string, Passing>
}

export interface FrontEnd {
  readonly port: number
  readonly origin: string
  /** Every request line that arrived. */
  readonly seen: readonly string[]
  close(): Promise<void>
}

export interface FrontEndOptions {
  readonly host?: string
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly faults?: Faults
  /** What it forwards to; `serve` gets the request as it came, with the Host. */
  readonly to?: 'service' | 'serve'
}

/** A customer's front end in its smallest form: it forwards all of the point, with the fields that the service wants. */
export async function startFrontEnd(
  serviceUrl: string,
  { host = 'www.shop.localhost', tls, faults = {}, to = 'service' }: FrontEndOptions = {},
): Promise<FrontEnd> {
  const seen: string[] = []
  const memory = new Map<string, Passing>()
  const listener = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const arrived = await toArrived(incoming)
    seen.push(`${arrived.method} ${arrived.target}`)
    const site: Site = { origin, authority: new URL(origin).host, memory }
    if (faults.closes?.(arrived, seen.length)) return outgoing.destroy()
    const own = faults.answer?.(arrived, site)
    if (own !== undefined) return send({ ...OK, ...own }, outgoing, arrived.method)
    const isOutside = !arrived.target.includes(CONTINUATION)
    if (isOutside && !faults.forwards?.(arrived.target)) return send(NO_PAGE, outgoing, arrived.method)
    const right =
      to === 'service'
        ? toForwarded(arrived, origin, serviceUrl)
        : { ...arrived, fields: without(arrived.fields, 'connection') }
    const forwarded = { ...right, ...faults.request?.(right, arrived, site) }
    let answer = await fetchRaw(forwarded, serviceUrl)
    if (faults.follows && answer.status === 302) {
      const target = new URL(firstOf(answer.fields, 'location') ?? '', serviceUrl).pathname
      answer = await fetchRaw({ ...forwarded, target }, serviceUrl)
    }
    send({ ...answer, ...faults.response?.(answer, site, arrived) }, outgoing, arrived.method)
  }
  const limits = { maxHeaderSize: 128 * 1024 }
  const server =
    tls === undefined ? createServer(limits, listener) : createTlsServer({ ...limits, ...tls }, listener)
  const { port, close } = await listen(server)
  const origin = `${tls === undefined ? 'http' : 'https'}://${host}:${port}`
  return { port, origin, seen, close }
}

/** The first value of a field. */
export function firstOf(fields: readonly string[], lowerName: string): string | undefined {
  return valuesOf(fields, lowerName)[0]
}

/** The section without some fields. */
export function without(fields: readonly string[], ...lowerNames: string[]): string[] {
  return fields.filter((_, index) => !lowerNames.includes(fields[index - (index % 2)]?.toLowerCase() ?? ''))
}

/** The section with a field put in the place of all lines of that name. */
export function withField(fields: readonly string[], name: string, ...values: string[]): string[] {
  return [...without(fields, name.toLowerCase()), ...values.flatMap((value) => [name, value])]
}

export const CONTINUATION = '/service_cookie_transfer/'
export const WIDGET_KEY = 'demo-widget-key'

function toForwarded(arrived: Passing, origin: string, serviceUrl: string): Passing {
  const fields = without(arrived.fields, 'host', 'connection', 'x-widget-key', 'x-continuation-origin')
  return {
    ...arrived,
    target: arrived.target.slice(Math.max(0, arrived.target.indexOf(CONTINUATION))),
    fields: [
      ...['Host', new URL(serviceUrl).host, ...fields],
      ...['X-Widget-Key', WIDGET_KEY, 'X-Continuation-Origin', origin],
    ],
  }
}

async function toArrived(incoming: IncomingMessage): Promise<Passing> {
  const { method = '', url = '', rawHeaders } = incoming
  return { method, target: url, status: 0, fields: rawHeaders, body: await toBody(incoming) }
}

function fetchRaw({ method, target, fields, body }: Passing, serviceUrl: string): Promise<Passing> {
  const { hostname, port } = new URL(serviceUrl)
  return new Promise((resolve, reject) => {
    const headers = [...fields, 'Connection', 'close']
    request(
      { host: hostname, port, method, path: target, headers, setHost: false, maxHeaderSize: 131_072 },
      async (incoming) => {
        const answerFields = without(
          incoming.rawHeaders,
          'connection',
          'transfer-encoding',
          'content-length',
          'keep-alive',
        )
        const { statusCode: status = 0 } = incoming
        resolve({ method, target, status, fields: answerFields, body: await toBody(incoming) })
      },
    )
      .on('error', reject)
      .end(body)
  })
}

async function toBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function send({ status, fields, body }: Passing, outgoing: ServerResponse, method: string): void {
  const framing = status === 204 ? [] : ['Content-Length', String(body.length)]
  outgoing.writeHead(status, [...fields, ...framing])
  outgoing.end(method === 'HEAD' ? undefined : body)
}

const NO_PAGE: Passing = {
  ...{ method: '', target: '', status: 404, fields: ['Content-Type', 'text/html'] },
  body: Buffer.from('<title>The shop</title><h1>The shop has no such page</h1>'),
}
const OK: Passing = { method: '', target: '', status: 200, fields: [], body: Buffer.alloc(0) }
