import type { Logger } from 'pino'
import type { Config, LogConfig } from '../config/config.ts'
import type { ExchangeRecord } from '../proxy/exchange-record.ts'
import { collectAfterBodies } from '../proxy/internals/minor-collection.ts'
import { openProxy } from '../proxy/proxy.ts'
import { accessLog } from './access-log.ts'
import { planClientConnections } from './client-limit.ts'
import { startListener } from './listener.ts'
import { writeMembers } from './log.ts'
import type { LogOutput } from './log-output.ts'
import { readHeapUse } from './machine.ts'
import { watchMemory } from './memory-watch.ts'
import { startMetrics, type Totals } from './metrics.ts'
import type { OwnProcess } from './own-process.ts'
import type { ProcessShare } from './process-share.ts'
import { watchProcess } from './process-use.ts'

/** The running proxy: one process, or several that share a listener. */
export interface Fleet {
  /** Address of the public listener. */
  readonly url: string
  isReady(): boolean
  metrics(): Promise<Totals>
  /** New exchanges use the new config, new connections its certificate; the listener keeps its address. */
  reload(share: ProcessShare): void
  /**
   * Stops accepting and waits for the exchanges in flight; those that last longer than the deadline are cut.
   *
   * @param idleGraceMs how long idle connections stay open for a last request
   * @returns how many exchanges had to be cut
   */
  drain(deadlineMs: number, idleGraceMs?: number): Promise<number>
  /** Cuts the exchanges that a drain still waits for. */
  cut(): void
}

/**
 * Runs the proxy in this process.
 *
 * @param handedSocket the descriptor of a socket that is listening already
 * @throws ListenError when the public listener can't be opened
 */
export async function startInProcess(
  { resolved, budget }: ProcessShare,
  handedSocket: number | undefined,
  own: OwnProcess,
  output: LogOutput,
  log: Logger,
): Promise<Fleet> {
  const { config, tls } = resolved
  const metrics = startMetrics(config.admin?.pointHistograms === true ? 'by-point' : 'overall')
  const processWatch = watchProcess(own.cpuSeconds)
  const readMemoryUse = () => ({ residentBytes: own.residentBytes(), ...readHeapUse() })
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
  // The proxy reports each piece of a body, so that V8 frees them soon.
  const proxy = openProxy(resolved, record, collectAfterBodies())
  const fileLimit = own.fileUse()?.limit
  const scheme = tls === undefined ? 'http' : 'https'
  const mostClientsOf = ({ limits }: Config) =>
    planClientConnections(budget, scheme, fileLimit, limits.upstreamConnections)
  let mostClients = mostClientsOf(config)
  // The others can be idle, and give way to new ones.
  const shareClients = () => {
    proxy.traffic.clientShare = Math.max(1, Math.floor((mostClients.clientConnections * 3) / 4))
  }
  shareClients()
  const listener = await startListener(
    {
      descriptor: handedSocket,
      host: config.listen.host,
      port: config.listen.port,
      tls,
      headLimitBytes: config.limits.headerBytes,
      unfinishedHeadsLimitBytes: budget.heapBytes / 8,
      headTimeoutMs: config.timeouts.idleMs,
      clients: {
        most: () => mostClients.clientConnections,
        isBusy: proxy.isBusy,
        closes: 'newest',
        onTooMany: () => log.warn(mostClients, TOO_MANY_CLIENTS[mostClients.limitedBy]),
      },
    },
    proxy,
  ).catch(async (error) => {
    processWatch.stop()
    await proxy.destroy()
    throw error
  })
  const memory = watchMemory(
    budget,
    config.limits.headerBytes,
    readMemoryUse,
    proxy.traffic,
    (state, use) => {
      if (state === 'short') log.warn(use, 'memory is short: requests are refused')
      else log.info(use, 'memory is no longer short')
    },
  )
  let cutCount = 0
  const cut = () => {
    cutCount += proxy.traffic.inFlight
    listener.destroy()
    void proxy.destroy()
  }
  return {
    url: listener.url,
    isReady: () => proxy.traffic.state === 'open',
    metrics: async () => {
      const files = own.fileUse()
      const { residentBytes, heapBytes } = readMemoryUse()
      const { waiting, oldestWaitMs } = proxy.queue()
      const levels = {
        activeRequests: proxy.traffic.inFlight,
        requestLimit: Math.min(proxy.concurrencyLimit, proxy.traffic.ceiling, proxy.traffic.clientShare),
        shortOfMemory: memory.state === 'short' ? 1 : 0,
        waitingRequests: waiting,
        oldestWaitSeconds: oldestWaitMs / 1000,
        residentBytes,
        heapBytes,
        openFiles: files?.open ?? 0,
        fileLimit: files?.limit ?? 0,
        loopDelaySeconds: processWatch.takeLoopDelaySeconds(),
      }
      return { sum: metrics.snapshot(levels, processWatch.use(), output.lostLines()), processes: 1 }
    },
    reload: ({ resolved: next }) => {
      memory.setHeaderBytes(next.config.limits.headerBytes)
      proxy.replace(next)
      mostClients = mostClientsOf(next.config)
      shareClients()
      logExchange = openLog(next.config.log)
      if (next.tls !== undefined) listener.setTls(next.tls)
      listener.setHeadTimeout(next.config.timeouts.idleMs)
    },
    drain: async (deadlineMs, idleGraceMs) => {
      proxy.traffic.state = 'draining'
      const deadline = setTimeout(cut, deadlineMs)
      await listener.drain(idleGraceMs)
      clearTimeout(deadline)
      await proxy.destroy()
      memory.stop()
      processWatch.stop()
      return cutCount
    },
    cut,
  }
}

const TOO_MANY_CLIENTS = {
  files:
    'client connections are closed: the limit of open files allows no more. Raise it (LimitNOFILE= of systemd, ulimit -n)',
  memory:
    'client connections are closed: idle ones may take no more memory. Give the process more, or more processes',
} as const
