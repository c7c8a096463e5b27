import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFolder } from '../support/folder.ts'
import { listening, type Program, startProgram } from '../support/program.ts'
import { type RecordingUpstream, startUpstream } from '../support/recording-upstream.ts'
import { post, startPosting } from '../support/steady-posts.ts'
import { until } from '../support/until.ts'
import { isInstalled } from './installed.ts'

const INSTANCES = 3

describe.runIf(isInstalled('haproxy'))('a rollout behind HAProxy, under load', () => {
  const folder = openFolder()
  const front = join(folder, 'front.sock')
  const door = { socketPath: front, host: 'www.example.com' }
  const control = join(folder, 'control.sock')
  const instances: Program[] = []
  let upstream: RecordingUpstream
  let haproxy: ChildProcess

  beforeAll(async () => {
    upstream = await startUpstream((_request, socket) => {
      // Long enough that requests are in flight whenever an instance gets SIGTERM.
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'), 5)
    })
    const ports: (readonly [open: string, admin: string])[] = []
    for (let i = 0; i < INSTANCES; i += 1) {
      const program = startInstance(upstream.origin, '0', '0')
      instances.push(program)
      ports.push([(await listening(program)).port, (await listening(program, 'admin')).port])
    }
    const config = join(folder, 'haproxy.cfg')
    writeFileSync(config, toHaproxyConfig(front, control, ports))
    haproxy = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' })
    // HAProxy says nothing when it is ready: the first answer does.
    await until(async () => (await post(door, 'ready')) === '200 ok')
  })
  afterAll(async () => {
    haproxy.kill('SIGTERM')
    for (const program of instances) program.signal('SIGTERM')
    await Promise.all(instances.map((program) => program.ended()))
    await upstream.close()
  })

  it('replaces every instance, ends each with 0, and fails no request', async () => {
    const load = startPosting(door)
    for (const [i, program] of instances.entries()) {
      await load.more(100)
      const [open, admin] = [await listening(program), await listening(program, 'admin')]
      await command(control, `set server points/instance${i} state drain`)
      await untilMetrics(admin, (text) => text.includes('\nhttp_server_active_requests 0\n'))
      program.signal('SIGTERM')
      expect(await program.ended(), program.stderr()).toBe(0)
      const next = startInstance(upstream.origin, open.port, admin.port)
      instances[i] = next
      await listening(next, 'admin')
      await command(control, `set server points/instance${i} state ready`)
      // The next one may only be stopped once the front end uses this one: then it has answered requests.
      await untilMetrics(admin, (text) => text.includes('http_server_request_duration_seconds_count{'))
    }
    await load.more(100)
    await load.stop(upstream)
  }, 60_000)
})

function startInstance(serviceUrl: string, port: string, adminPort: string): Program {
  return startProgram(['serve', '--port', port, '--admin-port', adminPort], {
    cwd: tmpdir(),
    env: {
      CONTINUATION_SERVICE_URL: serviceUrl,
      CONTINUATION_WIDGET_KEY: 'a-key',
      CONTINUATION_POINTS: 'http://www.example.com/service_cookie_transfer/',
      CONTINUATION_LOG_LEVEL: 'silent',
    },
  })
}

/** Readiness decides who gets requests; a refused connection goes to another instance, since nothing was sent. */
function toHaproxyConfig(
  front: string,
  control: string,
  ports: readonly (readonly [open: string, admin: string])[],
): string {
  const servers = ports.map(
    ([open, admin], i) =>
      `  server instance${i} 127.0.0.1:${open} check port ${admin} inter 100ms fall 2 rise 1`,
  )
  return [
    'global',
    `  stats socket ${control} mode 600 level admin`,
    'defaults',
    '  mode http',
    '  timeout connect 2s',
    '  timeout client 30s',
    '  timeout server 30s',
    // Without it a check has only `inter` for its answer, and a busy machine loses all instances at once.
    '  timeout check 5s',
    '  option redispatch 1',
    '  retry-on conn-failure',
    'frontend front',
    `  bind unix@${front}`,
    '  default_backend points',
    'backend points',
    '  option httpchk GET /readyz',
    ...servers,
    '',
  ].join('\n')
}

/** Sends a command to HAProxy. */
function command(control: string, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connect(control)
      .on('error', reject)
      .on('close', () => resolve())
      .resume()
      .end(`${words}\n`)
  })
}

function untilMetrics(admin: URL, test: (text: string) => boolean): Promise<void> {
  return until(async () => test(await (await fetch(new URL('/metrics', admin))).text()))
}
