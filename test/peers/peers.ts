import { env } from 'node:process'
import { freePort, type RealServer, servers, startServer } from '../front-ends/support/real-server.ts'
import type { RecordingUpstream } from '../support/recording-upstream.ts'
import { startProxy } from '../support/start-proxy.ts'

/** The proxy in front of the service. */
export type PeerName = 'nginx' | 'haproxy' | 'caddy' | 'ours'

/** A peer that runs, forwarding everything over kept connections. */
export interface RunningPeer {
  readonly port: number
  close(): Promise<unknown>
}

/** Whether tests of a peer report as skipped: no change here changes what other programs do, so CI alone asks them. */
export function skipsPeer(name: PeerName): boolean {
  return serverOf(name) !== undefined && env.CI === undefined
}

/** Starts a peer with the few lines that its own manual shows. */
export async function startPeer(name: PeerName, upstream: RecordingUpstream): Promise<RunningPeer> {
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
