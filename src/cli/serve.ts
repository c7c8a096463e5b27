import { pino } from 'pino'
import { loadConfig } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import { renderProblems } from '../config/render-problems.ts'
import { accessLog } from '../proxy/access-log.ts'
import { adminListener } from '../proxy/admin.ts'
import { startMetrics } from '../proxy/metrics.ts'
import { openProxy } from '../proxy/proxy.ts'
import { type Servable, toServable } from '../proxy/servable.ts'
import { ListenError, type Listener, startAdminListener, startListener } from '../proxy/server.ts'
import { compileSettings } from '../proxy/settings.ts'
import { type Arguments, defineCommand } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import { unsafeStartReason } from './unsafe-start.ts'
import { version } from './version.ts'

const options = {
  config: {
    type: 'string',
    value: 'FILE',
    summary: 'the config file (default: config.json, if there is one)',
  },
  host: { type: 'string', value: 'HOST', summary: 'address of the public listener' },
  port: { type: 'string', value: 'N', summary: 'port of the public listener, 0 for a free one' },
  'admin-port': { type: 'string', value: 'N', summary: 'port of the admin listener, 0 for a free one' },
} as const

export const command = defineCommand({
  name: 'serve',
  summary: 'run the continuation points',
  details: `Forwards the continuation points of the config to the service until SIGTERM or SIGINT,
then finishes what is under way. SIGHUP loads the config again. Logs go to stdout,
one JSON object a line.`,
  options,
  run,
})

async function run({ values }: Arguments<typeof options>, io: Io): Promise<ExitCode> {
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) {
    io.stderr(`continuation-point: ${unsafe}\n`)
    return exitCode.usage
  }
  const load = () => loadServable(values, io)
  const loaded = await load()
  if ('problems' in loaded) {
    io.stderr(renderProblems(loaded.problems))
    return exitCode.usage
  }
  return serve(loaded.servable, load, io)
}

type Loaded = { readonly servable: Servable } | { readonly problems: readonly Problem[] }

async function loadServable(values: Arguments<typeof options>['values'], io: Io): Promise<Loaded> {
  const flags = { host: values.host, port: values.port, adminPort: values['admin-port'] }
  const loaded = await loadConfig({ file: values.config, flags, env: io.env, readFile: io.readFile })
  return 'problems' in loaded ? loaded : toServable(loaded.config, io)
}

/** Runs until a signal ends it. */
async function serve(servable: Servable, load: () => Promise<Loaded>, io: Io): Promise<ExitCode> {
  const { config } = servable
  const log = pino(
    {
      level: config.log.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    { write: io.stdout },
  )
  const metrics = startMetrics(version)
  const logExchange = config.log.access ? accessLog(log, config.log.clientAddress) : () => {}
  const proxy = openProxy(compileSettings(servable), (record) => {
    metrics.observe(record)
    logExchange(record)
  })
  const listeners: Listener[] = []
  try {
    const listener = await startListener(toListenerSettings(servable), proxy)
    listeners.push(listener)
    announce(io, 'public', listener)
    if (config.admin !== undefined) {
      const admin = await startAdminListener(
        config.admin.host,
        config.admin.port,
        adminListener({
          isReady: () => proxy.traffic.state === 'open',
          metrics: () => metrics.render(proxy.traffic),
        }),
      )
      listeners.push(admin)
      announce(io, 'admin', admin)
    }
  } catch (error) {
    for (const listener of listeners) {
      listener.destroy()
      void listener.drain()
    }
    await proxy.destroy()
    if (!(error instanceof ListenError)) throw error
    io.stderr(
      `continuation-point: ${listenProblem(error, listeners.length === 0 ? 'public' : 'admin', servable)}\n`,
    )
    return exitCode.usage
  }

  const stopReloading = io.onSignal('SIGHUP', async () => {
    const loaded = await load()
    if ('problems' in loaded) {
      log.error({ problems: loaded.problems.map(toLoggedProblem) }, 'config not reloaded: the old one stays')
      return
    }
    proxy.replace(compileSettings(loaded.servable))
    const isOther = JSON.stringify(loaded.servable.config.listen) !== JSON.stringify(config.listen)
    log.info({}, isOther ? 'config reloaded; a change of listen needs a restart' : 'config reloaded')
  })
  await new Promise<void>((resolve) => {
    io.onSignal('SIGTERM', resolve)
    io.onSignal('SIGINT', resolve)
  })
  stopReloading()
  log.info({ inFlight: proxy.traffic.inFlight }, 'draining')
  const cut = await drain(listeners, proxy, config.timeouts.drainMs, io)
  log.info({ cut }, 'stopped')
  return cut === 0 ? exitCode.done : exitCode.findings
}

/**
 * Stops accepting and waits for what is under way, until the deadline or a second signal cuts it.
 *
 * @returns how many exchanges had to be cut
 */
async function drain(
  listeners: readonly Listener[],
  proxy: ReturnType<typeof openProxy>,
  deadlineMs: number,
  io: Io,
): Promise<number> {
  const [listener, ...others] = listeners
  let cut = 0
  const cutAll = () => {
    cut += proxy.traffic.inFlight
    listener?.destroy()
    void proxy.destroy()
  }
  proxy.traffic.state = 'draining'
  const deadline = setTimeout(cutAll, deadlineMs)
  const stopListening = [io.onSignal('SIGTERM', cutAll), io.onSignal('SIGINT', cutAll)]
  await listener?.drain()
  clearTimeout(deadline)
  for (const stop of stopListening) stop()
  await proxy.destroy()
  for (const other of others) other.destroy()
  await Promise.all(others.map((other) => other.drain()))
  return cut
}

function toListenerSettings({ config, tls }: Servable) {
  return {
    host: config.listen.host,
    port: config.listen.port,
    tls,
    headLimitBytes: config.limits.headerBytes,
    headTimeoutMs: config.timeouts.idleMs,
  }
}

/** Not through the logger: scripts wait for this line at any log level. */
function announce(io: Io, listener: 'public' | 'admin', { url }: Listener): void {
  io.stdout(
    `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg: 'listening', listener, url })}\n`,
  )
}

function listenProblem(error: ListenError, which: 'public' | 'admin', { config }: Servable): string {
  const { host, port } = which === 'public' ? config.listen : (config.admin ?? config.listen)
  const flag = which === 'public' ? '--port' : '--admin-port'
  const place = `the ${which} listener can't open ${host} port ${port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return `${place}: the port is in use. Stop the other program, or choose a port with ${flag} (0 picks a free one)`
    case 'EACCES':
      return `${place}: not permitted. Choose a port above 1023 with ${flag}, or grant the permission`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${place}: this machine has no such address. Use 127.0.0.1, 0.0.0.0 or ::`
    default:
      return `${place} (${error.code})`
  }
}

function toLoggedProblem({ location, message }: Problem) {
  return { ...location, message }
}
