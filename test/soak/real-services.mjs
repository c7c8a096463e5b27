// Servers by other people, as their packages install them; each gives every visitor a response of their own.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { keep, startPeer } from './processes.mjs'

/**
 * Each keeps idle connections longer than the proxy does, since a POST that meets a closing one is rightly a 502.
 * `answersPost`: what may come back for a complete POST.
 */
export const SERVICES = {
  'a service that ignores bodies': { start: startBlind, answersPost: [200] },
  'python3 -m http.server': {
    binary: '/usr/bin/python3',
    // It responds before it has read the body and closes, so the response may be lost.
    answersPost: [501, 502],
    words: ({ port }) => ['-m', 'http.server', '--protocol', 'HTTP/1.1', '--bind', '127.0.0.1', port],
  },
  gunicorn: {
    binary: '/usr/bin/gunicorn',
    answersPost: [200],
    words: ({ port }) => [
      ...['--chdir', fileURLToPath(new URL('.', import.meta.url)), '--bind', `127.0.0.1:${port}`],
      ...['--worker-class', 'gthread', '--threads', '160', '--keep-alive', '30', 'echo_app:app'],
    ],
    env: { PYTHONDONTWRITEBYTECODE: '1' },
  },
  nginx: {
    binary: '/usr/sbin/nginx',
    answersPost: [405],
    config: ({ port, root, folder }) => `daemon off; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server { listen 127.0.0.1:${port}; root ${root}; }
}
`,
    words: ({ file, folder }) => ['-p', folder, '-c', file, '-e', 'stderr'],
  },
  // One process with enough threads: one of several busy processes closes connections just as they are reused, and a POST is not
  // repeated.
  apache: {
    binary: '/usr/sbin/apache2',
    answersPost: [200],
    config: ({ port, root, folder }) => `ServerRoot ${folder}
ServerName localhost
PidFile ${folder}/pid
ErrorLog /dev/null
Listen 127.0.0.1:${port}
ServerLimit 1
StartServers 1
ThreadLimit 400
ThreadsPerChild 400
MaxRequestWorkers 400
KeepAliveTimeout 60
MaxKeepAliveRequests 0
${['mpm_event', 'authz_core'].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
DocumentRoot ${root}
`,
    words: ({ file }) => ['-D', 'FOREGROUND', '-f', file],
  },
}

/** Starts one of them with a file for each name; returns its port, or `undefined` if it is not installed. */
export async function startRealService(name, marks) {
  const { start, binary, config, words, env } = SERVICES[name]
  if (start !== undefined) return start()
  if (!existsSync(binary)) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'soak-service-'))
  const root = join(folder, 'root')
  const files = join(root, 'service_cookie_transfer')
  mkdirSync(files, { recursive: true })
  for (const mark of marks) writeFileSync(join(files, mark), `<${mark}>`)
  const port = await freePort()
  const file = join(folder, 'server.conf')
  if (config !== undefined) writeFileSync(file, config({ port, root, folder }))
  const child = spawn(binary, words({ port: String(port), file, folder }), {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'ignore',
    // A group of its own, so that workers which outlive their master end too.
    detached: true,
  })
  const { stop } = keep(child)
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    await wait(20)
  }
  return {
    port,
    stop: async () => {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function startBlind() {
  const service = startPeer('blind-service.mjs')
  const { port } = await service.next()
  return { port, stop: service.stop }
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
