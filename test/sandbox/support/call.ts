import { type Answer, ask } from './ask.ts'

export interface Called extends Answer {
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
  return async (methodAndPath, { body, key = 'demo-api-key', headers = {} } = {}) => {
    const [method = '', path = ''] = methodAndPath.split(' ', 2)
    const octets = toOctets(body)
    const framing: Record<string, string> =
      octets === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(octets)) }
    const answer = await ask(url, path.startsWith('/_sandbox') ? path : `/v2${withKey(path, key)}`, {
      method,
      headers: { ...framing, ...headers },
      ...(octets === undefined ? {} : { body: octets }),
    })
    const isJson = answer.headers['content-type']?.startsWith('application/json') === true
    return { ...answer, json: isJson ? JSON.parse(answer.text) : undefined }
  }
}

function withKey(path: string, key: string | null): string {
  return key === null ? path : `${path}${path.includes('?') ? '&' : '?'}api_key=${encodeURIComponent(key)}`
}

function toOctets(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body
  return JSON.stringify(body)
}
