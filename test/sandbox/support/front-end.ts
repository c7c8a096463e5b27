import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FrontEnd {
  readonly port: number
  /** `http://127.0.0.1:port`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * A customer's front end in its smallest form: what lies below `CONTINUATION` goes to the service with the service's
 * Host and the given fields, a cookie path before it taken off; everything else to the site.
 *
 * @param fields the fields to set, read for each request, so that a test can fix its setup
 */
export async function startFrontEnd(
  serviceUrl: string,
  fields: (host: string) => Readonly<Record<string, string | string[]>>,
  site: RequestListener = (_incoming, outgoing) => outgoing.writeHead(404).end(),
): Promise<FrontEnd> {
  const service = new URL(serviceUrl)
  const server = createServer((incoming, outgoing) => {
    const target = incoming.url ?? ''
    const at = target.indexOf(CONTINUATION)
    if (at === -1) return site(incoming, outgoing)
    const upstream = request(
      {
        host: service.hostname,
        port: service.port,
        method: incoming.method,
        path: target.slice(at),
        headers: { ...incoming.headers, host: service.host, ...fields(incoming.headers.host ?? '') },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
        answer.pipe(outgoing)
      },
    )
    incoming.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const CONTINUATION = '/service_cookie_transfer/'
