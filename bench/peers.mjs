import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A peer: the command that starts it in front of an upstream, and the one that prints its version.
 *
 * @typedef {{ port: number, origin: string, ca: string, folder: string }} Place
 * @typedef {{ name: string, title: string, command: (place: Place) => string[], version: () => string, prints?: RegExp, isNode?: boolean }} Peer
 */

const here = fileURLToPath(new URL('.', import.meta.url))
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))

const nodePeer = (name) => ({
  name,
  title: name === 'floor' ? 'bare floor' : name,
  prints: /listening/,
  isNode: true,
  command: ({ port, origin, ca }) => [
    process.execPath,
    join(here, 'peers', `${name.replace('@', '').replaceAll('/', '-')}.mjs`),
    String(port),
    origin,
    origin.startsWith('https') ? ca : '',
  ],
  version: () => (name === 'floor' ? versionOf('undici') : versionOf(name === 'hono/proxy' ? 'hono' : name)),
})

const ours = (name, title, log, main = program) => ({
  name,
  title,
  prints: /"msg":"listening"/,
  isNode: true,
  command: ({ port, origin, ca, folder }) => {
    const file = join(folder, `${name}.json`)
    const config = {
      service: {
        url: origin.replace('127.0.0.1', 'localhost'),
        ...(origin.startsWith('https') ? { ca: `file:${ca}` } : {}),
      },
      widgetKey: 'bench',
      points: ['https://www.example.com/service_cookie_transfer/'],
      listen: { port },
      admin: null,
      log: { access: log },
    }
    writeFileSync(file, JSON.stringify(config))
    return [process.execPath, main, 'serve', '--config', file]
  },
  version: () => versionOf('..'),
})

/** @type {Peer[]} */
export const peers = [
  nodePeer('floor'),
  ours('ours', 'continuation-point', false),
  ours('ours-log', 'continuation-point, access log on', true),
  // The built main.js of another checkout, to compare with.
  ...(process.env.BEFORE === undefined
    ? []
    : [
        ours('before', 'before', false, process.env.BEFORE),
        ours('before-log', 'before, access log on', true, process.env.BEFORE),
      ]),
  nodePeer('@fastify/http-proxy'),
  nodePeer('fast-proxy'),
  nodePeer('http-proxy'),
  nodePeer('httpxy'),
  nodePeer('http-proxy-middleware'),
  nodePeer('hono/proxy'),
  {
    name: 'nginx',
    title: 'nginx',
    command: ({ port, origin, ca, folder }) => {
      const file = join(folder, 'nginx.conf')
      writeFileSync(file, nginxConfig(port, origin, ca, folder))
      return ['nginx', '-c', file, '-p', folder, '-g', 'daemon off;']
    },
    version: () => /nginx\/(\S+)/.exec(run('nginx', ['-v']))?.[1] ?? '',
  },
  {
    name: 'haproxy',
    title: 'HAProxy',
    command: ({ port, origin, ca, folder }) => {
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, haproxyConfig(port, origin, ca))
      return ['haproxy', '-f', file, '-db']
    },
    version: () => /version (\S+)/.exec(run('haproxy', ['-v']))?.[1] ?? '',
  },
  {
    name: 'caddy',
    title: 'Caddy',
    command: ({ port, origin, ca, folder }) => {
      const file = join(folder, 'Caddyfile')
      writeFileSync(file, caddyConfig(port, origin, ca))
      return ['env', 'GOMAXPROCS=1', 'caddy', 'run', '--adapter', 'caddyfile', '--config', file]
    },
    version: () => run('caddy', ['version']).trim().split(' ')[0] ?? '',
  },
]

/** Whether what a peer needs is on this machine. */
export function isInstalled(peer) {
  if (peer.isNode) return true
  try {
    execFileSync('sh', ['-c', `command -v ${peer.name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function run(command, words) {
  return execFileSync('sh', ['-c', `${command} ${words.join(' ')} 2>&1`], { encoding: 'utf8' })
}

function versionOf(name) {
  const file =
    name === '..' ? join(here, '../package.json') : join(here, 'node_modules', name, 'package.json')
  return JSON.parse(execFileSync('cat', [file], { encoding: 'utf8' })).version
}

function nginxConfig(port, origin, ca, folder) {
  const { host } = new URL(origin)
  const tls = origin.startsWith('https')
    ? `proxy_ssl_verify on; proxy_ssl_trusted_certificate ${ca}; proxy_ssl_server_name on; proxy_ssl_name localhost; proxy_ssl_session_reuse on;`
    : ''
  return `worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx-error.log crit;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  keepalive_requests 1000000;
  client_max_body_size 0;
  large_client_header_buffers 8 64k;
  upstream service { server ${host}; keepalive 128; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location /service_cookie_transfer/ {
      proxy_pass ${origin.startsWith('https') ? 'https' : 'http'}://service;
      ${tls}
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host ${host};
      proxy_set_header X-Widget-Key bench;
      proxy_set_header X-Continuation-Origin https://www.example.com;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_redirect off;
      proxy_request_buffering off;
      proxy_buffering off;
    }
  }
}
`
}

function haproxyConfig(port, origin, ca) {
  const { host } = new URL(origin)
  const tls = origin.startsWith('https')
    ? ` ssl verify required ca-file ${ca} sni str(localhost) verifyhost localhost`
    : ''
  return `global
  nbthread 1
  maxconn 4096
  tune.bufsize 65536
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  http-reuse always
frontend site
  bind 127.0.0.1:${port}
  default_backend service
backend service
  http-request set-header Host ${host}
  http-request set-header X-Widget-Key bench
  http-request set-header X-Continuation-Origin https://www.example.com
  option forwardfor
  server service ${host} maxconn 128${tls}
`
}

function caddyConfig(port, origin, ca) {
  const { host } = new URL(origin)
  const tls = origin.startsWith('https')
    ? `\n      tls_trusted_ca_certs ${ca}\n      tls_server_name localhost`
    : ''
  return `{
  admin off
  auto_https off
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy ${origin.startsWith('https') ? 'https://' : ''}${host} {
    header_up Host ${host}
    header_up X-Widget-Key bench
    header_up X-Continuation-Origin https://www.example.com
    flush_interval -1
    transport http {
      keepalive_idle_conns_per_host 128${tls}
    }
  }
}
`
}
