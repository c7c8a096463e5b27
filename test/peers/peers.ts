import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { freePort, type RealServer, servers, startServer } from '../front-ends/support/real-server.ts'
import { isLeftToCi } from '../support/left-to-ci.ts'
import { openForTest } from '../support/open-for-test.ts'
import { openClient, type RawClient } from '../support/raw-client.ts'
import {
  type RecordingUpstream,
  type Script,
  startUpstream,
  type UpstreamOptions,
} from '../support/recording-upstream.ts'
import { startProxy } from '../support/start-proxy.ts'

/** The proxy in front of the service. */
export type PeerName = 'nginx' | 'haproxy' | 'caddy' | 'ours'

/** What a peer does to visitors, so that the tables in docs/comparison.md say what was seen. */
export interface Hazard<Name extends PeerName> {
  readonly hazard: string
  /** The row of the table, if it is about several hazards. */
  readonly row?: string
  readonly script?: Script
  readonly options?: UpstreamOptions
  /** What is done, and what is seen, in few words. */
  readonly look: (scene: Scene) => Promise<string>
  readonly seen: Readonly<Record<Name, string>>
}

export interface Scene {
  readonly upstream: RecordingUpstream
  /** Opens a connection to the peer and writes octets on it. */
  ask(octets: string): Promise<RawClient>
}

/**
 * Looks at each peer. No change here changes what other programs do, so CI alone asks them.
 *
 * @param otherwise what the service does where a hazard does not say
 */
export function testHazards<Name extends PeerName>(
  names: readonly Name[],
  hazards: readonly Hazard<Name>[],
  otherwise: Script = () => {},
): void {
  describe.each(hazards)('$hazard', ({ script = otherwise, options, look, seen }) => {
    for (const name of names) {
      it.skipIf(serverOf(name) !== undefined && isLeftToCi)(`${name}: ${seen[name]}`, async () => {
        const upstream = await openForTest(startUpstream(script, options))
        const { port } = await openForTest(startPeer(name, upstream))
        const ask = async (octets: string) => {
          const client = await openForTest(openClient(port))
          client.write(octets)
          return client
        }
        expect(await look({ upstream, ask })).toBe(seen[name])
      })
    }
  })

  it('docs/comparison.md shows what was seen', () => {
    const text = readFileSync(new URL('../../docs/comparison.md', import.meta.url), 'utf8')
    // What all do alike is not worth a row.
    const rows = hazards
      .filter(({ seen }) => new Set(Object.values(seen)).size > 1)
      .map(({ hazard, row = hazard, seen }) => `| ${row} | ${names.map((name) => seen[name]).join(' | ')} |`)
    const shown = [...new Set(rows)]
    expect(text.split('\n').filter((line) => shown.includes(line))).toEqual(shown)
  })
}

/** Starts a peer with the few lines that its own manual shows, forwarding everything over kept connections. */
async function startPeer(
  name: PeerName,
  upstream: RecordingUpstream,
): Promise<{ readonly port: number; close(): Promise<unknown> }> {
  const server = serverOf(name)
  if (server === undefined || name === 'ours') return startProxy(upstream.origin)
  const port = await freePort()
  const running = await startServer(server, configs[name](port, upstream), port)
  return { port, close: () => running.close() }
}

function serverOf(name: PeerName): RealServer | undefined {
  return servers.find((server) => server.name === name)
}

/** HAProxy keeps connections for each of its threads; with one, every visitor meets the same. */
const configs: Readonly<
  Record<Exclude<PeerName, 'ours'>, (port: number, upstream: RecordingUpstream) => string>
> = {
  nginx: (port, { origin, authority }) => `events {}
http {
  access_log off;
  upstream service { server ${authority}; keepalive 8; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${origin.startsWith('https') ? 'https' : 'http'}://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Widget-Key test-widget-key;
    }
  }
}
`,
  haproxy: (port, { authority }) => `global
  nbthread 1
defaults
  mode http
  timeout connect 2s
  timeout queue 2s
  timeout client 30s
  timeout server 30s
  http-reuse always
frontend site
  bind 127.0.0.1:${port}
  default_backend service
backend service
  http-request set-header X-Widget-Key test-widget-key
  server service ${authority} maxconn 128
`,
  caddy: (port, { origin }) => `{
  admin off
  auto_https off
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy ${origin} {
    header_up X-Widget-Key test-widget-key
  }
}
`,
}
