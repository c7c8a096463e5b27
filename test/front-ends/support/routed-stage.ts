import { openClient } from '../../support/raw-client.ts'
import { type RecordedRequest, type Script, startUpstream } from '../../support/recording-upstream.ts'
import { statusOf } from '../../support/stage.ts'
import type { WireMessage } from '../../support/wire.ts'
import { type RoutedFrontEnd, type Routing, type RoutingServer, startRouted } from './routed-front-end.ts'

/** A service that records, `serve`, and a server that routes to it. */
export interface RoutedStage extends RoutedFrontEnd {
  /** Sends a request on a connection of its own. */
  ask(path: string, request?: Partial<AskedRequest>): Promise<Asked>
}

interface AskedRequest {
  readonly method: string
  readonly host: string
  /** Field lines, each with its end. */
  readonly lines: string
}

interface Asked {
  readonly status: number
  readonly answer: WireMessage
  /** What the service saw of it. */
  readonly seen: readonly RecordedRequest[]
}

export const HOST = 'www.example.com'

export async function openRoutedStage(
  server: RoutingServer,
  routing: Routing,
  script?: Script,
): Promise<RoutedStage> {
  const upstream = await startUpstream(script)
  const frontEnd = await startRouted(server, upstream.origin, routing)
  return {
    ...frontEnd,
    ask: async (path, { method = 'GET', host = `${HOST}:${frontEnd.port}`, lines = '' } = {}) => {
      const before = upstream.requests.length
      const client = await openClient(frontEnd.port)
      client.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines}\r\n`)
      const answer = await client.response(method)
      client.close()
      return { status: statusOf(answer), answer, seen: upstream.requests.slice(before) }
    },
    close: async () => {
      await frontEnd.close()
      await upstream.close()
    },
  }
}
