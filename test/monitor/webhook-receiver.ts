import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../support/listen.ts'

export interface Call {
  readonly method: string
  readonly target: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Receiver {
  readonly origin: string
  readonly calls: readonly Call[]
  close(): Promise<void>
}

/** The receiver at a webhook's URL. It answers by script, and otherwise with 204. */
export async function startReceiver(
  answer: (outgoing: ServerResponse, call: number) => void = (outgoing) => void outgoing.writeHead(204).end(),
): Promise<Receiver> {
  const calls: Call[] = []
  const server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk
    const { method = '', url = '', headers } = incoming
    answer(outgoing, calls.push({ method, target: url, headers, body }) - 1)
  })
  const { port, close } = await listen(server)
  return { origin: `http://127.0.0.1:${port}`, calls, close }
}
