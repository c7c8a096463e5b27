import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { pemOf } from '../../support/certificates/certificate.ts'
import { listen } from '../../support/listen.ts'

/** Every host of the world: sets the cookies that a URL asks for, and remembers the names that came with an `id`. */
export interface RecordingSite {
  readonly httpPort: number
  readonly httpsPort: number
  /** Names of the cookies of the request with this id; absent if there was none. */
  takeNames(id: string): ReadonlySet<string> | undefined
  /** Stores Set-Cookie lines, and returns the query with which the site sends them. */
  toQuery(lines: readonly string[]): string
  close(): Promise<void>
}

export async function startRecordingSite(): Promise<RecordingSite> {
  const [key, cert] = [pemOf('self-signed.key'), pemOf('self-signed.cert')]
  const seen = new Map<string, ReadonlySet<string>>()
  const offers: (readonly string[])[] = []
  const listener: RequestListener = (request, response) => {
    const query = new URLSearchParams(request.url?.replace(/^[^?]*/, ''))
    const [id, offer] = [query.get('id'), query.get('offer')]
    const pairs = (request.headers.cookie ?? '').split('; ')
    if (id !== null) seen.set(id, new Set(pairs.map((pair) => pair.replace(/=.*$/, ''))))
    if (offer !== null) response.setHeader('Set-Cookie', [...(offers[Number(offer)] ?? [])])
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>a page</title>')
  }
  const http = await listen(createServer(listener))
  const https = await listen(createTlsServer({ key, cert }, listener))
  return {
    httpPort: http.port,
    httpsPort: https.port,
    takeNames: (id) => {
      const names = seen.get(id)
      seen.delete(id)
      return names
    },
    toQuery: (lines) => `?offer=${offers.push(lines) - 1}`,
    close: async () => {
      await http.close()
      await https.close()
    },
  }
}
