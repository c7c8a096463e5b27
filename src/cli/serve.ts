import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { addProblemsOfRest, loadConfig, tellAbsentFile } from '../config/load.ts'
import type { Problem } from '../config/problem.ts'
import { type ResolvedConfig, resolveConfig } from '../forward/resolved-config.ts'
import { accessLog } from '../serve/access-log.ts'
import { FEWEST_EXCHANGES } from '../serve/capacity.ts'
import { afterRefusal, afterReload, startedWith } from '../serve/config-loads.ts'
import { type FileTexts, recordFiles, replayFiles } from '../serve/file-texts.ts'
import { findCertificateProblems } from '../serve/find-certificate-problems.ts'
import { findRestartPointers } from '../serve/find-restart-pointers.ts'
import { renewCertificate, toFixed } from '../serve/fixed-at-start.ts'
import { type Fleet, type Surroundings, startInProcess } from '../serve/fleet.ts'
import { findHandedSocket } from '../serve/handed-socket.ts'
import { ListenError, type Listener } from '../serve/listener.ts'
import type { LogOutput } from '../serve/log-output.ts'
import { type Machine, readHeapUse, readMachine } from '../serve/machine.ts'
import { renderMetrics } from '../serve/metrics-text.ts'
import { judgeNode, type Runtime } from '../serve/node-release.ts'
import { type Part, toPart, toWorkerCount } from '../serve/part.ts'
import { tellReady } from '../serve/systemd.ts'
import { unsafeStartReason } from '../serve/unsafe-start.ts'
import { isWorker, runWorker } from '../serve/worker.ts'
import { startWorkers, WorkerDeath, type WorkerFleet } from '../serve/workers.ts'
import { type Arguments, configOption, defineCommand, type Refusal } from './command.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import { type Io, untilStopped } from './io.ts'
import { type ListenPlace, refuseToListen, startAdmin } from './listeners.ts'
import { announce, finishLog, openLog, openOutput, shown, writeInfo } from './log.ts'
import { reasonOf, workerReplacer } from './replace-workers.ts'
import { version } from './version.ts'

const options = {
  config: configOption,
  host: { value: 'HOST', summary: 'address of the public listener' },
  port: { value: 'N', isPort: true, summary: 'port of the public listener, 0 for a free one' },
  'admin-port': { value: 'N', isPort: true, summary: 'port of the admin listener, 0 for a free one' },
  test: { summary: 'only load the config and everything it refers to, and report problems' },
} as const

export const command = defineCommand({
  details: `Forwards the continuation points of the config to the service until SIGTERM or SIGINT,
then finishes the requests in flight. SIGHUP reloads the config. SIGUSR2 replaces the
workers, if there are any, by new ones from the package as it is on disk. Logs go to
stdout, one JSON object a line. The exit code is 3 if a later attempt may succeed,
because the port is in use or not permitted yet, or the address is not up yet.

--test only loads the config, with every secret, certificate and authority. It prints
"ok" or every fault, and opens no port.`,
  options,
  run,
})

async function run({ values }: Arguments<typeof options>, io: Io): Promise<ExitCode | Refusal> {
  const unsafe = unsafeStartReason(io)
  if (unsafe !== undefined) return { message: unsafe }
  if (isWorker()) return work(values, io)
  // Until `serve` listens to these signals, they would end the process.
  let isReloadAsked = false
  io.onSignal('SIGUSR2', () => {})
  io.onSignal('SIGHUP', () => {
    isReloadAsked = true
  })
  const load = () => loadResolved(values, io.env, io.readFile)
  const loaded = await load()
  if ('problems' in loaded) return loaded
  if (values.test) {
    io.stdout('ok\n')
    return exitCode.done
  }
  return serve(loaded, load, () => isReloadAsked, io)
}

type Values = Arguments<typeof options>['values']

interface Loaded {
  readonly resolved: ResolvedConfig
  /** What it was loaded from. */
  readonly files: FileTexts
}

type Loading = Loaded | { readonly problems: readonly Problem[] }

async function loadResolved(values: Values, env: Io['env'], readFile: Io['readFile']): Promise<Loading> {
  const flags = { host: values.host, port: values.port, adminPort: values['admin-port'] }
  const record = recordFiles(readFile)
  const source = { env, readFile: record.readFile }
  const parsed = await loadConfig({ file: values.config, flags, ...source })
  if ('problems' in parsed) {
    const findProblems = async (rest: Config) => {
      const made = await resolveConfig(rest, source)
      return 'problems' in made ? made.problems : []
    }
    return { problems: await addProblemsOfRest(parsed, findProblems) }
  }
  const made = await resolveConfig(parsed.config, source)
  if ('problems' in made) return { problems: tellAbsentFile(made.problems, parsed) }
  const problems = findCertificateProblems(made.resolved)
  return problems.length > 0 ? { problems } : { resolved: made.resolved, files: record.texts }
}

/** Runs a worker process. The primary process has loaded the same files before. */
async function work(values: Values, io: Io): Promise<ExitCode> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const) io.onSignal(signal, () => {})
  const machine = await readMachine(io.readFile, io)
  const output = openOutput(io, 'shared')
  const log = openLog(output)
  await runWorker({
    version,
    load: (files) => loadResolved(values, io.env, replayFiles(files)),
    start: (resolved, workers) => {
      log.level = resolved.config.log.level
      return startInProcess(toPart(resolved, workers, machine), toSurroundings(output, log, io))
    },
    reload: (resolved, workers, fleet) => adopt(toPart(resolved, workers, machine), fleet, log),
  })
  await finishLog(output, io)
  return exitCode.done
}

/** Runs the process that the user started, until a signal ends it. */
async function serve(
  first: Loaded,
  load: () => Promise<Loading>,
  isReloadAsked: () => boolean,
  io: Io,
): Promise<ExitCode> {
  const { config } = first.resolved
  let current = first
  let loads = startedWith(Date.now())
  const output = openOutput(io)
  const log = openLog(output)
  log.level = config.log.level
  const machine = await readMachine(io.readFile, io)
  const count = toWorkerCount(config.workers, machine)
  const part = toPart(first.resolved, count, machine)
  let fixed = toFixed(first.resolved, count)
  // What every worker uses. Restored when workers of a newer version reject a config that this process accepts.
  let accepted = { current, loads, fixed }
  let fleet: Fleet
  let workers: WorkerFleet | undefined
  const restarts = { died: 0, unresponsive: 0 }
  try {
    if (count > 1) {
      workers = await startWorkers({
        count,
        acceptor: handedSocketOf(io) === undefined ? 'primary' : 'workers',
        files: () => current.files,
        fixed: () => fixed,
        onDeath: (next, why) => {
          if (next === 'replaced') restarts[why.kind === 'unresponsive' ? 'unresponsive' : 'died'] += 1
          log.error(
            reasonOf(why),
            next === 'replaced' ? 'a worker died and is replaced' : 'a worker died in the drain',
          )
        },
        onAcceptance: () => {
          accepted = { current, loads, fixed }
        },
        onRefusal: (problems) => {
          log.error(shown(problems), 'config refused by a worker: the old one stays')
          loads = { ...afterRefusal(loads), loadedAtMs: accepted.loads.loadedAtMs }
          // Sent again, it would be refused again.
          if (current === accepted.current) return
          current = accepted.current
          fixed = accepted.fixed
          adopt(toPart(current.resolved, count, machine), fleet, log)
        },
      })
    }
    fleet = workers ?? (await startInProcess(part, toSurroundings(output, log, io)))
  } catch (error) {
    return refuseToStart(error, { listener: 'public', ...config.listen, flag: '--port' }, io)
  }
  let admin: Listener | undefined
  if (config.admin !== undefined) {
    const metrics = async () =>
      renderMetrics(await fleet.metrics(), {
        versions: workers?.versions() ?? [version],
        loads,
        runtime: io.versions,
        restarts,
        lostLogLines: workers ? output.lostLines() : 0,
      })
    try {
      admin = await startAdmin(config.admin, { isReady: fleet.isReady, metrics }, log)
    } catch (error) {
      await fleet.drain(0)
      return refuseToStart(error, { listener: 'admin', ...config.admin, flag: '--admin-port' }, io)
    }
  }
  // A signal may come as soon as the log says that we listen.
  let state: 'serving' | 'draining' = 'serving'
  let reloadsAsked = 0
  let reloadInForce = 0
  const reloadConfig = async () => {
    // Still needs a listener: without one, the signal of a closing terminal would end the process at once.
    if (state === 'draining') return
    reloadsAsked += 1
    const reload = reloadsAsked
    const next = await load()
    if ('problems' in next) {
      if (reload > reloadInForce) loads = afterRefusal(loads)
      return log.error(shown(next.problems), 'config not reloaded: the old one stays')
    }
    if (reload < reloadInForce) return log.info('config not reloaded: a later one is in force already')
    reloadInForce = reload
    current = next
    fixed = renewCertificate(fixed, next.resolved)
    loads = afterReload(loads, Date.now())
    adopt(toPart(next.resolved, count, machine), fleet, log)
    const needRestart = findRestartPointers(config, next.resolved.config)
    if (needRestart.length === 0) log.info('config reloaded')
    else log.warn({ needRestart }, 'config reloaded, but a part of it needs a restart')
  }
  io.onSignal('SIGHUP', reloadConfig)
  const drainMs = () => current.resolved.config.timeouts.drainMs
  io.onSignal(
    'SIGUSR2',
    workerReplacer(workers, drainMs, () => state === 'draining', log),
  )
  const stopAsked = untilStopped(io)
  logPoints(first.resolved, log)
  logNode(io.versions, log)
  logCapacity(config, part, count, machine, log)
  announce(output, 'public', fleet.url)
  if (admin !== undefined) announce(output, 'admin', admin.url)
  const tellStopping = tellReady(io.env, io.processIds.own, fleet.isReady, () =>
    log.warn('systemd-notify can’t be run: systemd is not told how serve is'),
  )
  // The file may have changed after it was read.
  if (isReloadAsked()) void reloadConfig()
  await stopAsked
  state = 'draining'
  tellStopping()
  // A second signal ends it at once.
  io.onSignal('SIGTERM', () => fleet.cut())
  io.onSignal('SIGINT', () => fleet.cut())
  log.info('draining')
  const cut = await fleet.drain(drainMs())
  log.info({ cut }, 'stopped')
  admin?.destroy()
  await admin?.drain()
  await finishLog(output, io)
  return cut === 0 ? exitCode.done : exitCode.findings
}

function logPoints({ points }: ResolvedConfig, log: Logger): void {
  const urls = points.slice(0, MOST_POINTS_LOGGED).map(({ url }) => url)
  log.info({ count: points.length, points: urls }, 'serving')
}

/** A process's access to its log and its memory. */
function toSurroundings(output: LogOutput, log: Logger, io: Io): Surroundings {
  return {
    handedSocket: handedSocketOf(io),
    openLog: ({ access, clientAddress }) =>
      access ? accessLog(log, clientAddress, (members) => writeInfo(output, members)) : () => {},
    readMemoryUse: () => ({ residentBytes: io.residentBytes(), ...readHeapUse() }),
    readCpuSeconds: () => io.cpuSeconds(),
    readFileUse: () => io.fileUse(),
    readLostLogLines: output.lostLines,
    onMemory: (state, use) => {
      if (state === 'short') log.warn(use, 'memory is short: requests are refused')
      else log.info(use, 'memory is no longer short')
    },
    onTooManyClients: (most) =>
      log.warn(
        most,
        most.limitedBy === 'files'
          ? 'client connections are closed: the limit of open files allows no more. Raise it (LimitNOFILE= of systemd, ulimit -n)'
          : 'client connections are closed: idle ones may take no more memory. Give the process more, or more processes',
      ),
  }
}

/** A socket that was handed to the primary process is there for its workers. */
function handedSocketOf({ env, processIds }: Io): number | undefined {
  return findHandedSocket(env, isWorker() ? processIds.parent : processIds.own)
}

/** Logs what this process runs on, and warns if that lacks security fixes. */
function logNode({ node, openssl }: Runtime, log: Logger): void {
  const { advice } = judgeNode(node, Date.now())
  if (advice === undefined) log.info({ node, openssl }, 'node')
  else log.warn({ node, openssl }, advice)
}

/** Logs how many concurrent requests one process accepts, and why. */
function logCapacity(
  { limits: { concurrentRequests } }: Config,
  { resolved, fittingRequests, room }: Part,
  workers: number,
  { memoryBytes, memoryFrom }: Machine,
  log: Logger,
): void {
  const facts = {
    workers,
    concurrentRequests: resolved.config.limits.concurrentRequests,
    memoryBytes,
    memoryFrom,
    heapBytes: room.heapBytes,
  }
  if (concurrentRequests !== 'auto' && concurrentRequests > fittingRequests) {
    log.warn(
      { ...facts, fittingRequests },
      'limits.concurrentRequests is more than the memory holds in the worst case',
    )
  } else if (concurrentRequests === 'auto' && fittingRequests <= FEWEST_EXCHANGES) {
    log.warn(
      facts,
      workers === 1
        ? 'memory is too small: it holds hardly any requests. Give it more'
        : 'memory is too small for so many workers: each holds hardly any requests. Give it more, or start fewer workers',
    )
  } else log.info(facts, 'capacity')
}

function adopt(part: Part, fleet: Fleet, log: Logger): void {
  log.level = part.resolved.config.log.level
  fleet.reload(part)
}

function refuseToStart(error: unknown, place: ListenPlace, io: Io): ExitCode {
  if (error instanceof WorkerDeath) {
    io.stderr(
      'continuation-point: a worker process died while it started. Start with "workers": 1 to see the reason\n',
    )
    return exitCode.inconclusive
  }
  if (!(error instanceof ListenError)) throw error
  return refuseToListen(error, place, io)
}

const MOST_POINTS_LOGGED = 100
