import { startPeer, startProgram, startService } from '../processes.mjs'

/**
 * Capacity is what the config allows: a number of requests in flight, each of which takes the service a known time.
 * Requests beyond that are refused at once, and admitted ones are served as before.
 */
export async function runOverload({ seconds }) {
  const service = await startService()
  const program = await startProgram(service, {
    limits: { concurrentRequests: IN_FLIGHT, upstreamConnections: IN_FLIGHT },
  })
  const load = async (times) => {
    const { outcomes, elapsedSeconds, failures } = await startPeer('open-loop.mjs').ask({
      port: program.port,
      rate: CAPACITY * times,
      seconds,
      requests: [{ method: 'GET', path: `wait/${WAIT_MS}`, expect: 200, share: 1 }],
    })
    return {
      goodput: (outcomes[200]?.count ?? 0) / elapsedSeconds,
      refused: outcomes[503],
      failures: Object.values(failures).reduce((sum, each) => sum + each, 0),
    }
  }
  await load(0.25)
  const below = await load(0.75)
  const at = await load(1)
  const twice = await load(2)
  await program.stop()
  await service.stop()
  const peak = Math.max(below.goodput, at.goodput, twice.goodput)
  return [
    {
      what: `goodput at twice the capacity of ${CAPACITY} requests/s`,
      figure: `${twice.goodput.toFixed(0)}/s, peak ${peak.toFixed(0)}/s (${((100 * twice.goodput) / peak).toFixed(0)} %)`,
      bar: 'at least 80 % of the peak',
      holds: twice.goodput >= 0.8 * peak,
    },
    {
      what: 'the surplus',
      figure: `${twice.refused?.count ?? 0} times 503, half within ${twice.refused?.p50Ms.toFixed(1)} ms, ${twice.failures} other failures`,
      bar: `503 sooner than the service's ${WAIT_MS} ms, nothing else`,
      holds: twice.failures === 0 && twice.refused !== undefined && twice.refused.p50Ms < WAIT_MS,
    },
  ]
}

const IN_FLIGHT = 50
const WAIT_MS = 100
const CAPACITY = (IN_FLIGHT * 1_000) / WAIT_MS
