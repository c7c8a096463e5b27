import { readFileSync } from 'node:fs'
import { activeRequests, residentMebibytes, startPeer, startProgram } from '../processes.mjs'
import { SERVICES, startRealService } from '../real-services.mjs'

/**
 * Everything at once, with every limit at its default, in front of each service: ordinary visitors, pipelining, HEAD and
 * GET with bodies that are requests, more slow uploads than there are connections, tiny chunks, clients that give up.
 * No visitor gets a response with another visitor's mark, and every complete request is answered.
 */
export async function runMixed({ mixedSeconds, mixedRounds, mixedWaitMs, latencyAt }) {
  const rows = []
  for (const name of Object.keys(SERVICES))
    rows.push(...(await runInFrontOf(name, mixedSeconds, mixedRounds, mixedWaitMs, latencyAt)))
  return rows
}

async function runInFrontOf(name, seconds, rounds, mostWaitMs, latencyAt) {
  const service = await startRealService(name, [...MARKS, CHOSEN])
  if (service === undefined) {
    const holds = process.env.CI === undefined
    return [{ what: name, figure: 'skipped: not installed', bar: 'skipped only outside CI', holds }]
  }
  const program = await startProgram(service)
  const stopWatching = watchConnections(service.port)
  const total = { strangers: 0, complete: 0, attacks: 0, failures: {}, waitsMs: [], directMs: [] }
  const heaps = []
  for (let round = 0; round < rounds; round += 1) {
    const result = await startPeer('visitors.mjs').ask({
      port: program.port,
      directPort: service.port,
      seconds: seconds / rounds,
      marks: MARKS,
      chosen: CHOSEN,
      answersPost: SERVICES[name].answersPost,
      slowUploads: SLOW_UPLOADS,
    })
    for (const key of ['strangers', 'complete', 'attacks']) total[key] += result[key]
    for (const key of ['waitsMs', 'directMs']) total[key] = total[key].concat(result[key])
    for (const [what, count] of Object.entries(result.failures))
      total.failures[what] = (total.failures[what] ?? 0) + count
    while ((await activeRequests(program)) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
    heaps.push((await program.ask('sample')).heapBytes / 1_048_576)
  }
  const resident = residentMebibytes(program)
  const connections = stopWatching()
  await program.stop()
  await service.stop()
  const failed = Object.values(total.failures).reduce((sum, each) => sum + each, 0)
  const share = latencyAt === 'p99Ms' ? 0.99 : 0.5
  const waitedMs = percentile(total.waitsMs, share)
  const directMs = percentile(total.directMs, share)
  const growth = heaps.at(-1) - heaps[Math.min(1, heaps.length - 2)]
  return [
    {
      what: `${name}: answers that reached the wrong visitor`,
      figure: `${total.strangers} beside ${total.attacks} attacks`,
      bar: 'none',
      holds: total.strangers === 0,
    },
    {
      what: `${name}: complete requests`,
      figure: `${total.complete} sent, ${failed} failed ${failed > 0 ? JSON.stringify(total.failures) : ''}`,
      bar: 'no failure',
      holds: failed === 0 && total.complete > 0,
    },
    {
      what: `${name}: their wait beside ${SLOW_UPLOADS} slow uploads (and directly)`,
      figure: `${waitedMs.toFixed(0)} ms (${directMs.toFixed(0)} ms) at ${100 * share} %`,
      bar: `under ${mostWaitMs} ms more`,
      holds: waitedMs - directMs < mostWaitMs,
    },
    {
      what: `${name}: connections to the service`,
      figure: `${connections} at most`,
      bar: `at most ${CONNECTION_LIMIT}`,
      holds: connections <= CONNECTION_LIMIT && connections > 0,
    },
    {
      what: `${name}: heap when quiet`,
      figure: `${heaps.map((heap) => heap.toFixed(1)).join(' ')} MiB round by round; resident ${resident.toFixed(0)} MiB`,
      bar: `at most ${HEAP_GROWTH_MEBIBYTES} MiB more`,
      holds: growth <= HEAP_GROWTH_MEBIBYTES,
    },
  ]
}

function percentile(values, share) {
  return values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.POSITIVE_INFINITY
}

/**
 * Samples how many connections to a port are open on both sides, from the kernel, and returns the peak. The kernel's table is
 * not read in one go: what stands in two readings was open between them.
 */
function watchConnections(port) {
  const local = `: 0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} `
  const read = () =>
    readFileSync('/proc/net/tcp', 'latin1')
      .split('\n')
      .filter((line) => line.includes(local))
      .map((line) => ESTABLISHED.exec(line)?.[1])
      .filter((remote) => remote !== undefined)
  let peak = 0
  const timer = setInterval(() => {
    const first = new Set(read())
    peak = Math.max(peak, read().filter((remote) => first.has(remote)).length)
  }, 200)
  return () => {
    clearInterval(timer)
    return peak
  }
}

const ESTABLISHED = /^ *\d+: \S+ (\S+) 01 /
const MARKS = Array.from({ length: 256 }, (_, i) => `visitor-${i}`)
const CHOSEN = 'chosen'
const SLOW_UPLOADS = 150
/** The default of `limits.upstreamConnections`. */
const CONNECTION_LIMIT = 128
const HEAP_GROWTH_MEBIBYTES = 4
