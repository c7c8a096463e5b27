import { createServer, type RequestListener, request } from 'node:http'
import { listen } from '../../support/listen.ts'

export type FrontEnd = Awaited<ReturnType<typeof startFrontEnd>>

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
) {
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
  const { port, close } = await listen(server)
  return { port, url: `http://127.0.0.1:${port}`, close }
}

export const CONTINUATION = '/service_cookie_transfer/'
