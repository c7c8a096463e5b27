import { type Logger, pino } from 'pino'
import type { Config, LogConfig } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import { renderProblems } from '../config/render-problems.ts'
import { accessLog } from '../proxy/access-log.ts'
import { adminListener } from '../proxy/admin.ts'
import { findCertificateProblems } from '../proxy/find-certificate-problems.ts'
import { renderMetrics } from '../proxy/metrics-text.ts'
import { type Servable, toServable } from '../proxy/servable.ts'
import { ListenError, type Listener, startAdminListener } from '../proxy/server.ts'
import { type Fleet, startServing } from '../proxy/serving.ts'
import { type Arguments, defineCommand } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import { findRestartPointers } from './find-restart-pointers.ts'
import type { Io } from './io.ts'
import { perTurn } from './per-turn.ts'
import { unsafeStartReason } from './unsafe-start.ts'
import { version } from './version.ts'
import { isWorker, runWorker } from './worker.ts'
import { startWorkers, toWorkerCount } from './workers.ts'

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
  const { servable } = loaded
  const log = openLog(servable.config, io)
  const start = () => startServing(servable, (config) => exchangeLog(log, config))
  if (!isWorker()) return serve(servable, start, load, log, io)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) io.onSignal(signal, () => {})
  await runWorker(start, async (fleet) => {
    const again = await load()
    if ('servable' in again) adopt(again.servable, fleet, log)
  })
  return exitCode.done
}

type Loaded = { readonly servable: Servable } | { readonly problems: readonly Problem[] }

async function loadServable(values: Arguments<typeof options>['values'], io: Io): Promise<Loaded> {
  const flags = { host: values.host, port: values.port, adminPort: values['admin-port'] }
  const loaded = await loadConfig({ file: values.config, flags, env: io.env, readFile: io.readFile })
  if ('problems' in loaded) return loaded
  const made = await toServable(loaded.config, io)
  if ('problems' in made) return made
  const problems = findCertificateProblems(made.servable)
  return problems.length > 0 ? { problems } : made
}

/** Runs the process that the user started, until a signal ends it. */
async function serve(
  servable: Servable,
  start: () => Promise<Fleet>,
  load: () => Promise<Loaded>,
  log: Logger,
  io: Io,
): Promise<ExitCode> {
  const { config } = servable
  const count = toWorkerCount(config.workers)
  let fleet: Fleet
  try {
    fleet = await (count === 1
      ? start()
      : startWorkers(count, () => log.error('a worker died and is replaced')))
  } catch (error) {
    return refuseToListen(error, 'public', config, io)
  }
  let admin: Listener | undefined
  try {
    admin = config.admin && (await startAdmin(config.admin, fleet))
  } catch (error) {
    await fleet.drain(0)
    return refuseToListen(error, 'admin', config, io)
  }
  // Whoever reads that we listen may send a signal at once.
  let { drainMs } = config.timeouts
  const stopReloading = io.onSignal('SIGHUP', async () => {
    const next = await reload(fleet, load, config, log)
    if (next !== undefined) drainMs = next.timeouts.drainMs
  })
  const stopAsked = new Promise<void>((resolve) => {
    io.onSignal('SIGTERM', resolve)
    io.onSignal('SIGINT', resolve)
  })
  announce(io, 'public', fleet.url)
  if (admin !== undefined) announce(io, 'admin', admin.url)
  await stopAsked
  stopReloading()
  // A second signal means now.
  io.onSignal('SIGTERM', () => fleet.cut())
  io.onSignal('SIGINT', () => fleet.cut())
  log.info('draining')
  const cut = await fleet.drain(drainMs)
  log.info({ cut }, 'stopped')
  admin?.destroy()
  await admin?.drain()
  return cut === 0 ? exitCode.done : exitCode.findings
}

async function startAdmin({ host, port }: NonNullable<Config['admin']>, fleet: Fleet): Promise<Listener> {
  const listener = adminListener({
    isReady: fleet.isReady,
    metrics: async () => renderMetrics(await fleet.metrics(), version),
  })
  return startAdminListener(host, port, listener)
}

/** @returns the config that is in force now; `undefined` when the old one stays */
async function reload(
  fleet: Fleet,
  load: () => Promise<Loaded>,
  started: Config,
  log: Logger,
): Promise<Config | undefined> {
  const loaded = await load()
  if ('problems' in loaded) {
    const problems = loaded.problems.map(({ location, message }) => ({ ...location, message }))
    log.error({ problems }, 'config not reloaded: the old one stays')
    return undefined
  }
  const { config } = loaded.servable
  adopt(loaded.servable, fleet, log)
  const needRestart = findRestartPointers(started, config)
  if (needRestart.length === 0) log.info('config reloaded')
  else log.warn({ needRestart }, 'config reloaded, but a part of it needs a restart')
  return config
}

function adopt(servable: Servable, fleet: Fleet, log: Logger): void {
  log.level = servable.config.log.level
  fleet.reload(servable)
}

function openLog(config: Config, io: Io): Logger {
  return pino(
    {
      level: config.log.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    { write: perTurn(io.stdout) },
  )
}

function exchangeLog(log: Logger, { access, clientAddress }: LogConfig) {
  return access ? accessLog(log, clientAddress) : () => {}
}

/** Not through the logger: scripts wait for this line at any log level. */
function announce(io: Io, listener: 'public' | 'admin', url: string): void {
  const time = new Date().toISOString()
  io.stdout(`${JSON.stringify({ level: 'info', time, msg: 'listening', listener, url })}\n`)
}

function refuseToListen(error: unknown, which: 'public' | 'admin', config: Config, io: Io): ExitCode {
  if (!(error instanceof ListenError)) throw error
  io.stderr(`continuation-point: ${listenProblem(error, which, config)}\n`)
  return exitCode.usage
}

function listenProblem(error: ListenError, which: 'public' | 'admin', config: Config): string {
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
