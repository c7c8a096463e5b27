import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { listenForTest } from '../support/listen.ts'
import type { RawClient } from '../support/raw-client.ts'
import { request, type Serve } from './serve.ts'

/** The origin of a service, for one test, that accepts connections and reads nothing. */
export async function startStalledService(): Promise<string> {
  const service = createServer({ pauseOnConnect: true }, (socket) => void socket.on('error', () => {}))
  return `http://127.0.0.1:${await listenForTest(service)}`
}

/** Starts this many uploads of so many octets, each with 60 KB of cookies on a connection of its own. */
export async function startUploads(
  serve: Serve,
  count: number,
  octets: number,
): Promise<readonly RawClient[]> {
  const head = `Cookie: sid=${'x'.repeat(60_000)}\r\nContent-Length: ${octets}\r\n\r\n`
  const upload = Buffer.concat([Buffer.from(request('POST', 'upload', head)), Buffer.alloc(octets, 'x')])
  const clients = await Promise.all(Array.from({ length: count }, () => serve.client()))
  for (const client of clients) {
    client.socket.on('error', () => {})
    client.socket.write(upload)
  }
  return clients
}

/**
 * Waits until every upload is refused or held: the same numbers twenty times in a row. `/livez` answers all the while.
 *
 * @returns the metrics by then
 */
export async function settled(serve: Serve): Promise<string> {
  let rounds = 0
  let last = ''
  for (;;) {
    expect(await serve.admin('/livez')).toBe('ok\n')
    const metrics = await serve.admin('/metrics')
    const now = [REFUSED, 'http_server_active_requests', 'continuation_point_waiting_requests']
      .map((name) => numberIn(metrics, name))
      .join(' ')
    rounds = now === last && numberIn(metrics, REFUSED) > 0 ? rounds + 1 : 0
    if (rounds === 20) return metrics
    last = now
    await wait(10)
  }
}

/** What a metric says, all its labels together; 0 where there is none. */
export function numberIn(metrics: string, name: string): number {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

export const REFUSED = 'continuation_point_refused_requests_total'
