import { request } from 'node:http'

export interface Called {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The JSON body; `undefined` when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of it and fails when they are not there
  readonly json: any
}

export interface CallOptions {
  /** A value is sent as JSON, a text or octets as they are. */
  readonly body?: unknown
  /** Default `demo-api-key`; `null` for none. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export type Call = (methodAndPath: string, options?: CallOptions) => Promise<Called>

/** Calls of one stand-in: `call('POST /sessions/', { body })`. Paths are below `/v2` unless they begin with `/_sandbox`. */
export function callsOf(url: string): Call {
  return (methodAndPath, { body, key = 'demo-api-key', headers = {} } = {}) => {
    const [method = '', path = ''] = methodAndPath.split(' ', 2)
    const own = path.startsWith('/_sandbox')
    const target = own ? path : `/v2${path}${withKey(path, key)}`
    const octets = toOctets(body)
    const framing: Record<string, string> =
      octets === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(octets)) }
    return new Promise((resolve, reject) => {
      const outgoing = request(
        url,
        { method, path: target, headers: { ...framing, ...headers }, agent: false },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('error', reject)
            .on('end', () => {
              const text = Buffer.concat(chunks).toString('utf8')
              const isJson = incoming.headers['content-type']?.startsWith('application/json') === true
              resolve({
                status: incoming.statusCode ?? 0,
                headers: incoming.headers,
                text,
                json: isJson ? JSON.parse(text) : undefined,
              })
            })
        },
      )
      outgoing.on('error', reject).end(octets)
    })
  }
}

function withKey(path: string, key: string | null): string {
  if (key === null) return ''
  return `${path.includes('?') ? '&' : '?'}api_key=${encodeURIComponent(key)}`
}

function toOctets(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body
  return JSON.stringify(body)
}
