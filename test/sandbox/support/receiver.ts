import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A delivery as a receiver of webhooks saw it. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly contentType: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of it and fails when they are not there
  readonly json: any
}

export interface Receiver {
  /** `http://127.0.0.1:port` or `https://localhost:port`. */
  readonly url: string
  readonly received: Received[]
  close(): Promise<void>
}

/** A receiver that answers every delivery with this status. */
export function startReceiver(scheme: 'http' | 'https', status = 200): Promise<Receiver> {
  const received: Received[] = []
  const listener: RequestListener = (incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        received.push({
          method: incoming.method ?? '',
          path: incoming.url ?? '',
          contentType: incoming.headers['content-type'],
          json: JSON.parse(Buffer.concat(chunks).toString('utf8')),
        })
        outgoing.writeHead(status, { Location: '/elsewhere' }).end()
      })
  }
  return listen(
    scheme === 'http' ? createServer(listener) : createTlsServer(selfSigned(), listener),
    scheme,
    received,
  )
}

async function listen(server: Server, scheme: string, received: Received[]): Promise<Receiver> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: scheme === 'http' ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function selfSigned(): { readonly cert: string; readonly key: string } {
  const read = (name: string) =>
    readFileSync(new URL(`../../support/certificates/self-signed.${name}.pem`, import.meta.url), 'utf8')
  return { cert: read('cert'), key: read('key') }
}
