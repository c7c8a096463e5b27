import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { errorCode } from '../forward/error-code.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import type { Loading } from './load-resolved.ts'
import { shown } from './log.ts'

interface ReloadSettings {
  /** The config at the start: what it fixes stays. */
  readonly first: ResolvedConfig
  load(signal: AbortSignal): Promise<Loading>
  /** Called with each config that takes effect. */
  use(resolved: ResolvedConfig): void
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly deadlineMs?: number
}

/** What came of the loads so far. */
export interface ConfigLoads {
  readonly last: 'loaded' | 'refused'
  /** When the config in force was loaded. */
  readonly loadedAtMs: number
  /** How many reloads were refused. */
  readonly refusals: number
}

type State = 'settled' | 'loading' | 'loading-and-asked' | 'stopped'

/**
 * Loads the config again when that is asked for. One load runs at a time, so the later of two wins; however often it is
 * asked for meanwhile, one more follows. Whatever goes wrong with a load, the config in force stays.
 */
export class Reloading {
  inForce: ResolvedConfig
  loads: ConfigLoads = { last: 'loaded', loadedAtMs: Date.now(), refusals: 0 }
  readonly #settings: ReloadSettings
  #state: State = 'settled'
  #abandon = new AbortController()

  constructor(settings: ReloadSettings) {
    this.#settings = settings
    this.inForce = settings.first
  }

  ask(): void {
    if (this.#state === 'loading') this.#state = 'loading-and-asked'
    else if (this.#state === 'settled') void this.#load()
  }

  /** Loads no more; what is being loaded is abandoned. */
  stop(): void {
    this.#state = 'stopped'
    this.#abandon.abort()
  }

  async #load(): Promise<void> {
    this.#state = 'loading'
    try {
      const loading = await this.#loadInTime()
      if (this.#now() === 'stopped') return
      if ('resolved' in loading) this.#use(loading.resolved)
      else this.#refuse('problems' in loading ? shown(loading.problems) : loading)
    } catch (error) {
      // Its message may quote the config.
      this.#refuse({ reason: `internal error: ${errorCode(error)}` })
    }
    const isAskedAgain = this.#now() === 'loading-and-asked'
    this.#state = 'settled'
    if (isAskedAgain) this.ask()
  }

  /** The state, which the compiler takes for unchanged since it was set. */
  #now(): State {
    return this.#state
  }

  async #loadInTime(): Promise<Loading | { readonly reason: string }> {
    const { load, deadlineMs = DEADLINE_MS } = this.#settings
    this.#abandon = new AbortController()
    const { signal } = this.#abandon
    const late = setTimeout(() => this.#abandon.abort(), deadlineMs)
    const abandoned = new Promise<{ readonly reason: string }>((resolve) => {
      const reason = `it took longer than ${deadlineMs / 1_000} s: a file, such as a pipe that nobody writes, keeps it waiting`
      signal.addEventListener('abort', () => resolve({ reason }))
    })
    try {
      return await Promise.race([load(signal), abandoned])
    } finally {
      clearTimeout(late)
    }
  }

  #refuse(refusal: object): void {
    this.loads = { ...this.loads, last: 'refused', refusals: this.loads.refusals + 1 }
    this.#settings.log.error(refusal, 'config not reloaded: the old one stays')
  }

  #use(resolved: ResolvedConfig): void {
    const { first, use, log } = this.#settings
    use(resolved)
    this.inForce = resolved
    this.loads = { ...this.loads, last: 'loaded', loadedAtMs: Date.now() }
    const needRestart = findRestartPointers(first.config, resolved.config)
    if (needRestart.length === 0) log.info('config reloaded')
    else log.warn({ needRestart }, 'config reloaded, but a part of it needs a restart')
  }
}

/**
 * Which changes of a reloaded config need a restart, because they concern open sockets.
 *
 * @returns JSON Pointers of the sections and keys that differ
 */
export function findRestartPointers(started: Config, loaded: Config): readonly string[] {
  return Object.entries(NEED_RESTART).flatMap(([pointer, pick]) =>
    JSON.stringify(pick(started, started)) === JSON.stringify(pick(loaded, started)) ? [] : [pointer],
  )
}

const NEED_RESTART: Readonly<Record<string, (config: Config, started: Config) => unknown>> = {
  '/listen/host': ({ listen }) => listen.host,
  '/listen/port': ({ listen }) => listen.port,
  '/listen/reusePort': ({ listen }) => listen.reusePort,
  // A new certificate takes effect; only whether TLS is used is fixed.
  '/listen/tls': ({ listen }) => listen.tls !== undefined,
  // A new timeout takes effect for request heads, not for TLS handshakes.
  '/timeouts/idle': ({ timeouts }, started) => started.listen.tls && timeouts.idleMs,
  '/limits/headerBytes': ({ limits }) => limits.headerBytes,
  '/admin': ({ admin }) => admin && [admin.host, admin.port],
}

const DEADLINE_MS = 30_000
