import { type RequestListener, request } from 'node:http'

/**
 * A front end with a common mistake: it sets both fields of a continuation point but forwards the browser's Host.
 */
export function carelessFrontEnd(serviceUrl: string, widgetKey: string, pointUrl: string): RequestListener {
  const { hostname, port } = new URL(serviceUrl)
  const { origin } = new URL(pointUrl)
  return (incoming, outgoing) => {
    const fields = { ...incoming.headers, 'x-widget-key': widgetKey, 'x-continuation-origin': origin }
    const upstream = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: fields, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(outgoing)
      },
    )
    upstream.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
    outgoing.on('close', () => upstream.destroy())
    incoming.pipe(upstream)
  }
}
