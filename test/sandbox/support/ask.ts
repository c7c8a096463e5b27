import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'

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
      const chunks: Buffer[] = []
      incoming
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('error', reject)
        .on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
    })
    outgoing.on('error', reject).end(body)
  })
}
