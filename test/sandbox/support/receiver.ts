import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { listen } from '../../support/listen.ts'

/** A delivery as a receiver of webhooks saw it. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly contentType: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of it and fails when they are not there
  readonly json: any
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A receiver that answers every delivery with this status. */
export async function startReceiver(scheme: 'http' | 'https', status = 200) {
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
  const server = scheme === 'http' ? createServer(listener) : createTlsServer(selfSigned(), listener)
  const { port, close } = await listen(server)
  const url = scheme === 'http' ? `http://127.0.0.1:${port}` : `https://localhost:${port}`
  return { url, received, close }
}

function selfSigned(): { readonly cert: string; readonly key: string } {
  const read = (name: string) =>
    readFileSync(new URL(`../../support/certificates/self-signed.${name}.pem`, import.meta.url), 'utf8')
  return { cert: read('cert'), key: read('key') }
}
