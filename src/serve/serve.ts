import type { Logger } from 'pino'
import type { ListenConfig } from '../config/config.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import { startAdmin } from './admin.ts'
import { FEWEST_EXCHANGES, planConcurrency } from './capacity.ts'
import { ListenError, type Listener } from './listener.ts'
import type { Loading } from './load-resolved.ts'
import { announce, finishLog, openLog, openOutput } from './log.ts'
import { type Machine, readMachine } from './machine.ts'
import { renderMetrics } from './metrics-text.ts'
import type { OwnProcess } from './own-process.ts'
import { Reloading } from './reloading.ts'
import { type RunningProxy, startProxy } from './running-proxy.ts'

interface ServeSettings {
  readonly own: OwnProcess
  /** The version of the package. */
  readonly version: string
  readonly first: ResolvedConfig
  /** Loads the config again; gives up when the signal is aborted. */
  load(signal: AbortSignal): Promise<Loading>
  /** Whether a reload was asked for since the first load began. */
  isReloadAsked(): boolean
  /** Resolves when the user asks the process to stop. */
  untilStopped(): Promise<void>
}

/** Why the process could not serve, or how many exchanges had to be cut at its end. */
export type Served =
  | { readonly kind: 'ended'; readonly cut: number }
  | ({ readonly kind: 'not-listening' } & ListenPlace)

/** Where a listener could not be opened. */
export interface ListenPlace {
  readonly listener: 'public' | 'admin'
  readonly host: string
  readonly port: number
  /** Node's code of the error. */
  readonly code: string
}

/** Serves the continuation points of a config until a signal ends it: opens the listeners, reloads on SIGHUP, drains. */
export async function serve(settings: ServeSettings): Promise<Served> {
  const { own, version, first, load, isReloadAsked, untilStopped } = settings
  const { config } = first
  const output = openOutput(own)
  const log = openLog(output)
  log.level = config.log.level
  const machine = readMachine(own)
  let proxy: RunningProxy | undefined
  const reloading = new Reloading({ first, load, use: (next) => proxy?.reload(next), log })
  const metrics = () => {
    const points = reloading.inForce.points.map(({ url }) => url)
    const facts = { version, points, loads: reloading.loads, node: own.versions.node }
    return proxy === undefined ? '' : `${[...renderMetrics(proxy.metrics(), facts)].join('\n')}\n`
  }
  let admin: Listener | undefined
  try {
    if (config.admin !== undefined)
      admin = await startAdmin(config.admin, { isReady: () => proxy?.isReady() ?? false, metrics }, log)
  } catch (error) {
    return explainFailure(error, 'admin', config.admin ?? config.listen)
  }
  // Last, since visitors come at once: a process that can't start takes none from those that can.
  try {
    const handedSocket = findHandedSocket(own.env, own.processId)
    proxy = await startProxy({ first, handedSocket, machine, output, log })
  } catch (error) {
    admin?.destroy()
    return explainFailure(error, 'public', config.listen)
  }
  // A signal may come as soon as the log says that we listen.
  own.onSignal('SIGHUP', () => reloading.ask())
  const stopAsked = untilStopped()
  logStart(first, machine, own.versions, log)
  announce(output, 'public', proxy.url)
  if (admin !== undefined) announce(output, 'admin', admin.url)
  // The file may have changed after it was read.
  if (isReloadAsked()) reloading.ask()
  await stopAsked
  // Still listens to SIGHUP: without a listener, that of a closing terminal would end the process at once.
  reloading.stop()
  // A second signal ends it at once.
  own.onSignal('SIGTERM', proxy.cut)
  own.onSignal('SIGINT', proxy.cut)
  log.info('draining')
  const cut = await proxy.drain(reloading.inForce.config.timeouts.drainMs)
  log.info({ cut }, 'stopped')
  admin?.destroy()
  await finishLog(output, own)
  return { kind: 'ended', cut }
}

function explainFailure(
  error: unknown,
  listener: 'public' | 'admin',
  { host, port }: Pick<ListenConfig, 'host' | 'port'>,
): Served {
  if (!(error instanceof ListenError)) throw error
  return { kind: 'not-listening', listener, host, port, code: error.code }
}

/** Logs what is served, by which Node, and how many requests it can hold. */
function logStart(
  resolved: ResolvedConfig,
  machine: Machine,
  { node, openssl }: OwnProcess['versions'],
  log: Logger,
): void {
  const points = resolved.points.slice(0, MOST_POINTS_LOGGED).map(({ url }) => url)
  log.info({ count: resolved.points.length, points }, 'serving')
  log.info({ node, openssl }, 'node')
  const { limits } = resolved.config
  const fittingRequests = planConcurrency(machine, limits.headerBytes)
  const isChosen = limits.concurrentRequests !== 'auto'
  const concurrentRequests = isChosen ? limits.concurrentRequests : fittingRequests
  const facts = { concurrentRequests, ...machine }
  if (concurrentRequests > fittingRequests) {
    log.warn(
      { ...facts, fittingRequests },
      'limits.concurrentRequests is more than the memory holds in the worst case',
    )
  } else if (!isChosen && fittingRequests <= FEWEST_EXCHANGES)
    log.warn(facts, 'memory is too small: it holds hardly any requests. Give it more')
  else log.info(facts, 'capacity')
}

/**
 * The descriptor of a listening socket that the parent process has opened for this one, or `undefined`: systemd's socket
 * activation, sd_listen_fds(3). Such a socket outlives the process, so a restart refuses no connection. Of several the
 * first is used. The variables count only if LISTEN_PID is `processId`: child processes inherit them.
 */
export function findHandedSocket(
  env: Readonly<Record<string, string | undefined>>,
  processId: number,
): number | undefined {
  if (env.LISTEN_PID !== String(processId)) return undefined
  return /^[1-9][0-9]{0,3}$/.test(env.LISTEN_FDS ?? '') ? FIRST_DESCRIPTOR : undefined
}

/** SD_LISTEN_FDS_START, the descriptor after stdin, stdout and stderr. */
const FIRST_DESCRIPTOR = 3
const MOST_POINTS_LOGGED = 100
