import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { json } from 'node:stream/consumers'
import { pemOf } from '../../support/certificates/certificate.ts'
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
  const listener: RequestListener = async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming
    received.push({ method, path, contentType: headers['content-type'], json: await json(incoming) })
    outgoing.writeHead(status, { Location: '/elsewhere' }).end()
  }
  const pair = { cert: pemOf('self-signed.cert'), key: pemOf('self-signed.key') }
  const server = scheme === 'http' ? createServer(listener) : createTlsServer(pair, listener)
  const { port, close } = await listen(server)
  const url = scheme === 'http' ? `http://127.0.0.1:${port}` : `https://localhost:${port}`
  return { url, received, close }
}
