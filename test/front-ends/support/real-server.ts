import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { accepts } from '../../support/accepts.ts'

/** How a server of the distribution is checked and run on one file. */
export interface RealServer {
  readonly name: string
  readonly binary: string
  /** Its own test of a config: ends with 0, and without a warning, if that is right. */
  check(file: string, folder: string): readonly string[]
  run(file: string, folder: string): readonly string[]
  /** Its environment beside the widget keys. */
  env(folder: string): Readonly<Record<string, string>>
}

export const servers: readonly RealServer[] = [
  {
    name: 'nginx',
    binary: '/usr/sbin/nginx',
    check: (file, folder) => ['-t', '-c', file, '-e', 'stderr', '-g', `pid ${folder}/pid;`],
    // It stores bodies in the folder, which is the user's alone.
    run: (file, folder) => ['-c', file, '-e', 'stderr', '-g', `daemon off; pid ${folder}/pid;${AS_ROOT}`],
    env: () => ({}),
  },
  {
    name: 'apache',
    binary: '/usr/sbin/apache2',
    check: (file) => ['-t', '-f', file],
    run: (file, folder) => ['-D', 'FOREGROUND', '-f', file, '-c', `PidFile ${folder}/pid`],
    env: (folder) => ({ APACHE_RUN_DIR: folder, APACHE_PID_FILE: `${folder}/pid`, APACHE_LOG_DIR: folder }),
  },
  {
    name: 'haproxy',
    binary: '/usr/sbin/haproxy',
    check: (file, folder) => ['-c', '-f', file, ...besides(folder)],
    run: (file, folder) => ['-db', '-f', file, ...besides(folder)],
    env: () => ({}),
  },
  {
    name: 'caddy',
    binary: '/usr/bin/caddy',
    check: (file) => ['validate', '--adapter', 'caddyfile', '--config', file],
    run: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    env: (folder) => ({
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
      CADDY_ADMIN: `unix/${folder}/admin.sock`,
    }),
  },
]

/** Else workers of root are nobody. */
const AS_ROOT = process.getuid?.() === 0 ? ' user root;' : ''

/** A row for each, in route and in forward mode. */
export const serversInEachMode = servers.flatMap((server) =>
  (['route', 'forward'] as const).map((mode) => ({ server, mode, name: server.name })),
)

/** HAProxy reads a second file if one is named. */
function besides(folder: string): readonly string[] {
  const file = join(folder, 'continuation-point.cfg')
  return existsSync(file) ? ['-f', file] : []
}

/** Whether tests of a server report as skipped: only where it is not installed, and never on CI, where they then fail. */
export function skips({ binary }: Pick<RealServer, 'binary'>): boolean {
  return !existsSync(binary) && process.env.CI === undefined
}

export interface RunningServer {
  readonly folder: string
  close(): Promise<void>
}

/** Runs the server's own syntax check. */
export async function checkSyntax(
  server: RealServer,
  text: string,
): Promise<{ readonly code: number; readonly output: string }> {
  return checkSite(server, () => ({ 'server.conf': text }))
}

/** Runs the server's own syntax check on a config of several files. */
export async function checkSite(
  server: RealServer,
  files: SiteFiles,
  keys: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string }> {
  const { folder, file } = await writeConfig(files)
  const result = await new Promise<{ code: number; output: string }>((resolve) => {
    const options = { env: { ...process.env, ...keys, ...server.env(folder) }, maxBuffer: 10_000_000 }
    execFile(server.binary, server.check(file, folder), options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    )
  })
  await rm(folder, { recursive: true, force: true })
  return result
}

/** Starts the server on a config; resolves once it accepts connections on `port`. */
export async function startServer(server: RealServer, text: string, port: number): Promise<RunningServer> {
  return startSite(server, () => ({ 'server.conf': text }), port)
}

/** The text of each file below the server's folder; its config is `server.conf`. */
export type SiteFiles = (folder: string) => Readonly<Record<string, string>>

/** Starts the server on a config of several files; resolves once it accepts connections on `port`. */
export async function startSite(
  server: RealServer,
  files: SiteFiles,
  port: number,
  keys: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const { folder, file } = await writeConfig(files)
  const child = spawn(server.binary, server.run(file, folder), {
    env: { ...process.env, ...keys, ...server.env(folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk) => {
      log += chunk
    })
    // A server may end its side of a pipe with a reset. That is not what these tests look at.
    output.on('error', (error) => {
      log += `${error.message}\n`
    })
  }
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  while (!(await accepts(port))) {
    // One that has ended never will.
    if (child.exitCode !== null) throw new Error(`the server ended: ${log}`)
    await wait(20)
  }
  return {
    folder,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * A port on loopback that nothing listens on. It is below those that the kernel gives to whoever asks for port 0, and each
 * process takes turns with a hundred of its own, so that no other test gets it before the server does: Caddy and HAProxy would
 * share it (SO_REUSEPORT).
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + (process.pid % 200) * 100 + portsGiven
    portsGiven = (portsGiven + 1) % 100
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

let portsGiven = 0

/** The folder is the user's alone: a server that gives up root's rights can't write there. */
async function writeConfig(files: SiteFiles) {
  const folder = await mkdtemp(join(tmpdir(), 'front-end-'))
  for (const [path, content] of Object.entries(files(folder))) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return { folder, file: join(folder, 'server.conf') }
}
