import type { Logger } from 'pino'
import type { Config, LogConfig } from '../config/config.ts'
import type { ResolvedConfig } from '../forward/resolved-config.ts'
import type { ExchangeRecord } from '../proxy/exchange-record.ts'
import { collectAfterBodies } from '../proxy/internals/minor-collection.ts'
import { openProxy } from '../proxy/proxy.ts'
import { accessLog } from './access-log.ts'
import { fitExchanges, planClientConnections } from './capacity.ts'
import { startListener } from './listener.ts'
import { writeMembers } from './log.ts'
import type { LogOutput } from './log-output.ts'
import { type Machine, readFileLimit, readUse } from './machine.ts'
import { type MetricsSnapshot, startMetrics } from './metrics.ts'

interface ProxySettings {
  readonly first: ResolvedConfig
  /** The descriptor of a socket that is listening already. */
  readonly handedSocket: number | undefined
  readonly machine: Machine
  readonly output: LogOutput
  readonly log: Logger
}

export type RunningProxy = Awaited<ReturnType<typeof startProxy>>

/**
 * Starts the proxy with the public listener, its metrics and its log.
 *
 * @throws ListenError when the public listener can't be opened
 */
export async function startProxy(settings: ProxySettings) {
  const { first, handedSocket, machine, output, log } = settings
  const { config, tls } = first
  const metrics = startMetrics()
  const openLog = ({ level, access, clientAddress }: LogConfig) => {
    log.level = level
    return access
      ? accessLog(log, clientAddress, (level, members) => writeMembers(output, level, members))
      : () => {}
  }
  let logExchange = openLog(config.log)
  const record = (over: ExchangeRecord) => {
    metrics.observe(over)
    logExchange(over)
  }
  const fileLimit = readFileLimit()
  const scheme = tls === undefined ? 'http' : 'https'
  const mostClientsOf = ({ limits }: Config) => planClientConnections(machine, scheme, fileLimit, limits)
  let mostClients = mostClientsOf(config)
  // The proxy reports each piece of a body, so that V8 frees them soon.
  const proxy = openProxy(
    fitExchanges(first, machine, mostClients.clientConnections),
    record,
    collectAfterBodies(),
  )
  const listener = await startListener(
    {
      descriptor: handedSocket,
      host: config.listen.host,
      port: config.listen.port,
      reusePort: config.listen.reusePort,
      tls,
      headLimitBytes: config.limits.headerBytes,
      headTimeoutMs: config.timeouts.idleMs,
      clients: {
        most: () => mostClients.clientConnections,
        isBusy: proxy.hasLease,
        closes: 'newest',
        onTooMany: () => log.warn(mostClients, TOO_MANY_CLIENTS[mostClients.limitedBy]),
      },
    },
    proxy,
  ).catch(async (error) => {
    await proxy.destroy()
    throw error
  })
  let cutCount = 0
  const cut = () => {
    cutCount += proxy.traffic.inFlight
    void proxy.destroy()
    for (const socket of listener.sockets) proxy.stop(socket)
    listener.destroy()
  }
  return {
    /** Address of the public listener. */
    url: listener.url,
    isReady: () => proxy.traffic.state === 'open',
    metrics: (): MetricsSnapshot => {
      const { waiting, oldestWaitMs } = proxy.queue()
      const levels = {
        activeRequests: proxy.traffic.inFlight,
        requestLimit: proxy.concurrencyLimit(),
        waitingRequests: waiting,
        oldestWaitSeconds: oldestWaitMs / 1000,
        fileLimit: fileLimit ?? 0,
      }
      return metrics.snapshot({ ...levels, ...readUse() }, output.lostLines())
    },
    /** New exchanges use the new config, new connections its certificate; the listener keeps its address. */
    reload: (next: ResolvedConfig): void => {
      mostClients = mostClientsOf(next.config)
      proxy.replace(fitExchanges(next, machine, mostClients.clientConnections))
      logExchange = openLog(next.config.log)
      if (next.tls !== undefined) listener.setTls(next.tls)
      listener.setHeadTimeout(next.config.timeouts.idleMs)
    },
    /**
     * Stops accepting and waits for the exchanges in flight; those that last longer than the deadline are cut.
     *
     * @returns how many exchanges had to be cut
     */
    drain: async (deadlineMs: number): Promise<number> => {
      proxy.traffic.state = 'draining'
      const deadline = setTimeout(cut, deadlineMs)
      await listener.drain()
      clearTimeout(deadline)
      await proxy.destroy()
      return cutCount
    },
    /** Cuts the exchanges that a drain still waits for. */
    cut,
  }
}

const TOO_MANY_CLIENTS = {
  files:
    'client connections are closed: the limit of open files allows no more. Raise it (LimitNOFILE= of systemd, ulimit -n)',
  memory:
    'client connections are closed: idle ones may take no more memory. Give the process more, or start another one beside it',
} as const
