import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends one request with exactly this target and these fields (`headers` may be Node's raw list). */
export function ask(
  url: string,
  target: string,
  options: Pick<RequestOptions, 'method' | 'headers'> & { readonly body?: string | Buffer } = {},
): Promise<Answer> {
  const { body, ...rest } = options
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...rest, path: target, agent: false }, (incoming) => {
      const { statusCode: status = 0, headers } = incoming
      buffer(incoming).then((octets) => resolve({ status, headers, text: octets.toString('utf8') }), reject)
    })
    outgoing.on('error', reject).end(body)
  })
}
