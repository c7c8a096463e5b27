import type { Logger } from 'pino'
import type { Config, ListenConfig } from '../config/config.ts'
import type { ReadFile } from '../config/file-fault.ts'
import type { Problem } from '../config/problem.ts'
import { startAdmin } from './admin.ts'
import { afterRefusal, type ConfigLoads, warnIfSlow } from './config-loads.ts'
import { type FileTexts, recordFiles, replayFiles } from './file-texts.ts'
import { type FixedAtStart, findRestartPointers, pickFixed, renewCertificate } from './fixed-at-start.ts'
import { type Fleet, startInProcess } from './fleet.ts'
import { findHandedSocket } from './handed-socket.ts'
import { ListenError, type Listener } from './listener.ts'
import type { Loaded, Loading } from './load-resolved.ts'
import { announce, finishLog, openLog, openOutput, shown } from './log.ts'
import type { LogOutput } from './log-output.ts'
import { logStart } from './log-start.ts'
import { logReplacement, reasonOf } from './log-workers.ts'
import { type Machine, readMachine } from './machine.ts'
import { renderMetrics } from './metrics-text.ts'
import type { OwnProcess } from './own-process.ts'
import { countWorkers, type ProcessShare, planProcessShare } from './process-share.ts'
import { tellReady } from './systemd.ts'
import { watchSecrets } from './watch-secrets.ts'
import { startWorkers, WorkerDeath, type WorkerFleet } from './workers.ts'

interface PrimarySettings {
  readonly own: OwnProcess
  /** Of the package. */
  readonly version: string
  readonly first: Loaded
  load(readFile: ReadFile): Promise<Loading>
  /** Whether a reload was asked for since the first load began. */
  isReloadAsked(): boolean
  /** Resolves when the user asks the process to stop. */
  untilStopped(): Promise<void>
}

/** Why the process could not serve, or how many exchanges had to be cut at its end. */
export type Served =
  | { readonly kind: 'ended'; readonly cut: number }
  | { readonly kind: 'worker-died' }
  | ({ readonly kind: 'not-listening' } & ListenPlace)

/** Where a listener could not be opened. */
export interface ListenPlace {
  readonly listener: 'public' | 'admin'
  readonly host: string
  readonly port: number
  /** Node's code of the error. */
  readonly code: string
}

/** Runs the process that the user started, until a signal ends it. Its workers, if there are any, do the serving. */
export async function serveAsPrimary(settings: PrimarySettings): Promise<Served> {
  return new Primary(settings, await readMachine(settings.own.readFile, settings.own)).run()
}

/** What is served, and what came of the loads so far. */
interface InForce {
  readonly loaded: Loaded
  readonly loads: ConfigLoads
  readonly fixed: FixedAtStart
  /** Why it was loaded: a secret on disk was replaced, or the config was asked for. */
  readonly cause: LoadCause
}

type LoadCause = 'config' | 'secrets'

class Primary {
  readonly #settings: PrimarySettings
  readonly #machine: Machine
  /** The config at the start: what it fixes stays. */
  readonly #config: Config
  readonly #count: number
  readonly #output: LogOutput
  readonly #log: Logger
  readonly #restarts = { died: 0, unresponsive: 0 }
  #state: 'starting' | 'serving' | 'draining' = 'starting'
  #inForce: InForce
  /** What every worker uses. Restored when workers of a newer version reject a config that this process accepts. */
  #accepted: InForce
  #reloadsAsked = 0
  /** Whether the config on disk was refused when that was last loaded: a renewed secret does not make it right. */
  #isConfigRefused = false
  /** Secrets that were refused by themselves; they are not loaded again. */
  #refusedSecrets: string | undefined
  #isSecretLost = () => false
  #reloadInForce = 0
  #loadsEnded = 0
  #replacementsAsked = 0
  #fleet: Fleet | undefined
  #workers: WorkerFleet | undefined

  constructor(settings: PrimarySettings, machine: Machine) {
    const { own, first } = settings
    this.#settings = settings
    this.#machine = machine
    this.#config = first.resolved.config
    this.#count = countWorkers(this.#config.workers, machine)
    this.#output = openOutput(own, this.#count > 1 ? 'shared' : 'alone')
    this.#log = openLog(this.#output)
    this.#log.level = this.#config.log.level
    const loads = { last: 'loaded', loadedAtMs: Date.now(), refusals: 0 } as const
    this.#inForce = { loaded: first, loads, fixed: pickFixed(first.resolved, this.#count), cause: 'config' }
    this.#accepted = this.#inForce
  }

  async run(): Promise<Served> {
    const { own, first, isReloadAsked, untilStopped } = this.#settings
    const [config, log, output] = [this.#config, this.#log, this.#output]
    let fleet: Fleet
    try {
      const handedSocket = findHandedSocket(own.env, own.processIds.own)
      fleet =
        this.#count > 1
          ? await this.#startWorkers()
          : await startInProcess(this.#planProcessShare(), handedSocket, own, output, log)
    } catch (error) {
      return explainFailure(error, 'public', config.listen)
    }
    this.#fleet = fleet
    let admin: Listener | undefined
    if (config.admin !== undefined) {
      try {
        admin = await startAdmin(
          config.admin,
          { isReady: fleet.isReady, metrics: () => this.#metrics(fleet) },
          log,
        )
      } catch (error) {
        await fleet.drain(0)
        return explainFailure(error, 'admin', config.admin)
      }
    }
    // A signal may come as soon as the log says that we listen.
    this.#state = 'serving'
    own.onSignal('SIGHUP', () => this.#reload('config'))
    own.onSignal('SIGUSR2', () => this.#replaceWorkers())
    const stopAsked = untilStopped()
    logStart(first.resolved, this.#count, this.#machine, own.versions, log)
    announce(output, 'public', fleet.url)
    if (admin !== undefined) announce(output, 'admin', admin.url)
    const tellStopping = tellReady(own.env, own.processIds.own, fleet.isReady, () =>
      log.warn('systemd-notify can’t be run: systemd is not told how serve is'),
    )
    // The file may have changed after it was read.
    if (isReloadAsked()) void this.#reload('config')
    this.#isSecretLost = watchSecrets({
      own,
      known: () => this.#inForce.loaded.secrets,
      onLook: (texts) => this.#renewSecrets(texts),
      log,
    })
    await stopAsked
    this.#state = 'draining'
    tellStopping()
    // A second signal ends it at once.
    own.onSignal('SIGTERM', () => fleet.cut())
    own.onSignal('SIGINT', () => fleet.cut())
    log.info('draining')
    const cut = await fleet.drain(this.#drainMs())
    log.info({ cut }, 'stopped')
    admin?.destroy()
    await admin?.drain()
    await finishLog(output, own)
    if (this.#loadsEnded < this.#reloadsAsked) own.endWithCommand()
    return { kind: 'ended', cut }
  }

  async #startWorkers(): Promise<Fleet> {
    this.#workers = await startWorkers({
      count: this.#count,
      files: () => this.#inForce.loaded.files,
      fixed: () => this.#inForce.fixed,
      onDeath: (next, why) => {
        if (next === 'replaced') this.#restarts[why.kind === 'unresponsive' ? 'unresponsive' : 'died'] += 1
        const message = next === 'replaced' ? 'a worker died and is replaced' : 'a worker died in the drain'
        this.#log.error(reasonOf(why), message)
      },
      onAcceptance: () => {
        this.#accepted = this.#inForce
      },
      onRefusal: (problems) => this.#onRefusal(problems),
    })
    return this.#workers
  }

  /** Secrets that were replaced on disk take effect by themselves; the config only when that is asked for. */
  async #renewSecrets(now: FileTexts): Promise<void> {
    const { files, secrets } = this.#inForce.loaded
    const texts = JSON.stringify(now)
    if (texts === this.#refusedSecrets) return
    if (texts === JSON.stringify(secrets)) return this.#forgetRefusedSecrets()
    this.#log.info('a secret has changed on disk: the config is loaded again with it')
    this.#refusedSecrets = texts
    await this.#reload('secrets', replayFiles({ ...files, ...now }))
  }

  /** The secrets on disk are those in force again. */
  #forgetRefusedSecrets(): void {
    if (this.#refusedSecrets === undefined) return
    this.#refusedSecrets = undefined
    if (!this.#isConfigRefused)
      this.#inForce = { ...this.#inForce, loads: { ...this.#inForce.loads, last: 'loaded' } }
  }

  /** Loads the config again. If several reloads overlap, the one that was asked for last stays. */
  async #reload(cause: LoadCause, readFile = this.#settings.own.readFile): Promise<void> {
    // Still needs a listener: without one, the signal of a closing terminal would end the process at once.
    if (this.#state === 'draining') return
    const log = this.#log
    this.#reloadsAsked += 1
    const reload = this.#reloadsAsked
    const read = recordFiles(readFile)
    const next = await warnIfSlow(this.#settings.load(read.readFile), log)
    this.#loadsEnded += 1
    const { loads, fixed } = this.#inForce
    if (cause === 'config' && reload >= this.#reloadInForce) {
      const isRefused = 'problems' in next
      this.#isConfigRefused = isRefused && !this.#isConfigInForce(read.texts)
      if (isRefused && !this.#isConfigRefused) this.#refusedSecrets ??= ''
    }
    if ('problems' in next) {
      const last = reload > this.#reloadInForce ? 'refused' : loads.last
      this.#inForce = { ...this.#inForce, loads: { ...afterRefusal(loads), last } }
      return log.error(shown(next.problems), 'config not reloaded: the old one stays')
    }
    if (reload < this.#reloadInForce) return log.info('config not reloaded: a later one is in force already')
    this.#reloadInForce = reload
    this.#refusedSecrets = undefined
    this.#use({
      loaded: next,
      loads: { ...loads, loadedAtMs: Date.now(), last: this.#isConfigRefused ? 'refused' : 'loaded' },
      fixed: renewCertificate(fixed, next.resolved),
      cause,
    })
    const needRestart = findRestartPointers(this.#config, next.resolved.config)
    if (needRestart.length === 0) log.info('config reloaded')
    else log.warn({ needRestart }, 'config reloaded, but a part of it needs a restart')
  }

  /**
   * Whether the config was read as it is in force, and all its secrets too, so that a secret was refused that can be renewed.
   * One that is missing is no more than waited for, so it stays refused until the config is asked for again.
   */
  #isConfigInForce(texts: FileTexts): boolean {
    const { files, secrets } = this.#inForce.loaded
    return Object.keys(files).every((path) => (path in secrets ? texts[path] : texts[path] === files[path]))
  }

  /** Workers may load something else than this process: their version of the package may be newer. */
  #onRefusal(problems: readonly Problem[]): void {
    this.#log.error(shown(problems), 'config refused by a worker: the old one stays')
    const loads = { ...afterRefusal(this.#inForce.loads), loadedAtMs: this.#accepted.loads.loadedAtMs }
    const { loaded, cause } = this.#inForce
    // Sent again, it would be refused again.
    if (loaded === this.#accepted.loaded) {
      this.#inForce = { ...this.#inForce, loads }
      return
    }
    if (cause === 'config') this.#isConfigRefused = true
    else this.#refusedSecrets = JSON.stringify(loaded.secrets)
    this.#use({ ...this.#accepted, loads })
  }

  /** Replaces the workers by new ones from the package on disk. If it is asked for meanwhile, there is one more round. */
  async #replaceWorkers(): Promise<void> {
    const [workers, log, isOver] = [this.#workers, this.#log, () => this.#state === 'draining']
    if (isOver()) return
    if (workers === undefined) {
      return log.warn(
        "nothing replaced: a single process can't replace itself. Set workers to 2 or more, or restart it",
      )
    }
    this.#replacementsAsked += 1
    if (this.#replacementsAsked > 1) return
    for (let heard = 0; heard < this.#replacementsAsked && !isOver(); ) {
      heard = this.#replacementsAsked
      log.info('replacing the workers')
      const done = await workers.replace(this.#drainMs())
      if (!isOver()) logReplacement(done, workers.versions(), log)
    }
    this.#replacementsAsked = 0
  }

  #use(inForce: InForce): void {
    this.#inForce = inForce
    this.#log.level = inForce.loaded.resolved.config.log.level
    this.#fleet?.reload(this.#planProcessShare())
  }

  #planProcessShare(): ProcessShare {
    return planProcessShare(this.#inForce.loaded.resolved, this.#count, this.#machine)
  }

  async #metrics(fleet: Fleet): Promise<Iterable<string>> {
    const { loaded, loads } = this.#inForce
    return renderMetrics(await fleet.metrics(), {
      versions: this.#workers?.versions() ?? [this.#settings.version],
      points: loaded.resolved.points.map(({ url }) => url),
      loads: this.#isSecretLost() ? { ...loads, last: 'refused' } : loads,
      runtime: this.#settings.own.versions,
      restarts: this.#restarts,
      lostLogLines: this.#workers ? this.#output.lostLines() : 0,
    })
  }

  #drainMs(): number {
    return this.#inForce.loaded.resolved.config.timeouts.drainMs
  }
}

function explainFailure(
  error: unknown,
  listener: 'public' | 'admin',
  { host, port }: Pick<ListenConfig, 'host' | 'port'>,
): Served {
  if (error instanceof WorkerDeath) return { kind: 'worker-died' }
  if (!(error instanceof ListenError)) throw error
  return { kind: 'not-listening', listener, host, port, code: error.code }
}
