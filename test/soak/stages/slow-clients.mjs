import { readFileSync } from 'node:fs'
import {
  activeRequests,
  openFilesLimit,
  startPeer,
  startProgram,
  startService,
  watchResident,
} from '../processes.mjs'

/**
 * Slow clients are held while normal traffic goes on: it sees no failure, hardly more latency than without them, and
 * memory stays bounded. Every limit is at its default; only the deadlines are longer, to hold them. The same requests
 * also go to the service directly: the time that those take is due to the machine and is subtracted. The answers that some
 * readers hold up are larger than what the kernel takes before the proxy feels anything. Each of these keeps its
 * connection to the service, so there are fewer of them than the connections that uploads leave.
 */
export async function runSlowClients({ seconds, slowClients, latencyAt }) {
  const count = Math.min(slowClients, Math.floor((openFilesLimit() - 500) / 2))
  const third = Math.floor(count / 3)
  const slowUploads = Math.min(third, MOST_UPLOADS)
  const stalled = Math.min(STALLED_READERS, stallableReaders())
  const service = await startService()
  const program = await startProgram(service, {
    // Long enough to hold them; other tests show that idle ones are closed.
    timeouts: { idle: '1h', headers: '1h' },
    log: { level: 'info', access: true },
  })
  const normal = (forSeconds) =>
    startPeer('open-loop.mjs').ask({
      port: program.port,
      rate: 2 * RATE,
      seconds: forSeconds,
      requests: [...REQUESTS, ...REQUESTS.map((request) => ({ ...request, port: service.port }))],
    })
  await normal(2)
  const alone = await normal(Math.min(seconds, 10))
  const stopWatching = watchResident(program)
  const slow = startPeer('slow-clients.mjs')
  const { opened } = await slow.ask({
    port: program.port,
    heads: count - third - slowUploads,
    uploads: slowUploads,
    readers: third,
    stalled,
    octets: ANSWER_OCTETS,
  })
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const beside = await normal(seconds)
  const { held, lost } = await slow.ask('state')
  const { uploads: atTheService } = await service.ask('state')
  const active = await activeRequests(program)
  const peakMebibytes = stopWatching()
  await slow.stop()
  await program.stop()
  await service.stop()

  const failures = Object.values(beside.failures).reduce(
    (sum, each) => sum + each,
    beside.outcomes[503]?.count ?? 0,
  )
  const added = addedMs(beside, latencyAt) - addedMs(alone, latencyAt)
  return [
    {
      what: `${opened} slow clients held for ${seconds} s: ${slowUploads} bodies, ${third} readers, else heads`,
      figure: `${held} held, ${lost} dropped; ${active} requests in the proxy, of which ${atTheService} uploads are at the service`,
      bar: 'none dropped',
      holds: held === count && lost === 0,
    },
    {
      what: `${RATE} requests/s beside them`,
      figure: `${beside.sent} sent, ${failures} failed ${failures > 0 ? JSON.stringify(beside.failures) : ''}`,
      bar: 'no failure',
      holds: failures === 0,
    },
    {
      what: `${latencyAt === 'p99Ms' ? '99th percentile' : 'median'} of these (and directly)`,
      figure: `${latencies(alone, latencyAt)} alone, ${latencies(beside, latencyAt)} beside`,
      bar: 'under 50 ms more',
      holds: added < 50,
    },
    {
      what: 'resident memory',
      figure: `${peakMebibytes.toFixed(0)} MiB at most`,
      bar: 'at most 250 MiB',
      holds: peakMebibytes <= 250,
    },
  ]
}

/** What the proxy adds to a percentile. */
function addedMs({ outcomes }, percentile) {
  return waitedMs(outcomes[200], percentile) - waitedMs(outcomes.direct, percentile)
}

function latencies({ outcomes }, percentile) {
  return `${waitedMs(outcomes[200], percentile).toFixed(1)} ms (${waitedMs(outcomes.direct, percentile).toFixed(1)} ms)`
}

/** No response arrived, so the wait is infinite. */
function waitedMs(outcome, percentile) {
  return outcome?.[percentile] ?? Number.POSITIVE_INFINITY
}

/**
 * How many readers may stall before the kernel's memory for TCP gets short. Each fills the buffers of two connections,
 * unless its answer ends before.
 */
function stallableReaders() {
  const limits = (name) => readFileSync(`/proc/sys/net/ipv4/${name}`, 'utf8').split('\t').map(Number)
  const [pages = 0] = limits('tcp_mem')
  const buffers = 2 * ((limits('tcp_wmem')[2] ?? 0) + (limits('tcp_rmem')[2] ?? 0))
  return Math.floor((pages * 4_096 * 0.5) / Math.min(ANSWER_OCTETS, buffers))
}

const RATE = 200
/** With these, and all others, fewer requests are in progress than `limits.concurrentRequests` allows by default. */
const MOST_UPLOADS = 700
const STALLED_READERS = 24
const SETTLE_MS = 3_000
const ANSWER_OCTETS = 8 * 1_048_576
const REQUESTS = [
  { method: 'GET', path: 'small', expect: 200, share: 0.35 },
  { method: 'POST', path: 'sink', bodyBytes: 1_024, expect: 200, share: 0.15 },
]
