import type { RequestListener } from 'node:http'

/** What the admin listener can ask. */
export interface AdminSource {
  isReady(): boolean
  metrics(): Promise<string>
}

/**
 * The admin listener's answers: `/livez` (the process runs), `/readyz` (it accepts requests and is not shutting down)
 * and `/metrics`. Neither probe asks the service: a probe that fails with it would take every instance out at once.
 */
export function adminListener(source: AdminSource): RequestListener {
  return (incoming, outgoing) => {
    const path = incoming.url?.replace(/\?.*$/s, '')
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return answer(405, 'method not allowed\n')
    switch (path) {
      case '/livez':
        return answer(200, 'ok\n')
      case '/readyz':
        return source.isReady() ? answer(200, 'ok\n') : answer(503, 'not ready\n')
      case '/metrics':
        return void source
          .metrics()
          .then((text) => answer(200, text, 'text/plain; version=0.0.4; charset=utf-8'))
      default:
        return answer(404, 'look at /livez, /readyz or /metrics\n')
    }

    function answer(status: number, text: string, type = 'text/plain; charset=utf-8'): void {
      outgoing.writeHead(status, {
        'Content-Type': type,
        'Content-Length': Buffer.byteLength(text),
        'Cache-Control': 'no-store',
      })
      outgoing.end(text)
    }
  }
}
