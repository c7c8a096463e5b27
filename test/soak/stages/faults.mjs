import { openFiles, residentMebibytes, startPeer, startProgram, startService } from '../processes.mjs'

/**
 * Traffic with 1 % faults of the service and 1 % clients that give up leaves nothing behind. The run is cut into
 * rounds; in the pauses between them, open files, timers and memory are compared.
 */
export async function runFaults({ faultSeconds, faultRounds }) {
  const service = await startService()
  const program = await startProgram(service)
  const samples = []
  let sent = 0
  const failures = {}
  for (let round = 0; round < faultRounds; round += 1) {
    const result = await startPeer('open-loop.mjs').ask({
      port: program.port,
      rate: RATE,
      seconds: faultSeconds / faultRounds,
      requests: REQUESTS,
    })
    sent += result.sent
    for (const [what, count] of Object.entries(result.failures))
      failures[what] = (failures[what] ?? 0) + count
    // Connections to the service close after 4 s without use.
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    const { heapBytes, timers, sockets } = await program.ask('sample')
    samples.push({
      heap: heapBytes / 1_048_576,
      timers,
      sockets,
      files: openFiles(program),
      resident: residentMebibytes(program),
    })
  }
  await program.stop()
  await service.stop()
  const [, warm] = samples
  const last = samples.at(-1)
  const both = (name, digits = 0) =>
    `${warm[name].toFixed(digits)} after round 2, ${last[name].toFixed(digits)} at the end`
  return [
    {
      what: `${sent} requests, 1 % faults, 1 % clients that give up`,
      figure: Object.keys(failures).length === 0 ? 'each ended as it had to' : JSON.stringify(failures),
      bar: 'no other failure',
      holds: Object.keys(failures).length === 0,
    },
    {
      what: 'sockets when quiet',
      figure: both('sockets'),
      bar: 'no more',
      holds: last.sockets <= warm.sockets,
    },
    {
      what: 'open files when quiet',
      figure: both('files'),
      bar: 'at most 4 more',
      holds: last.files - warm.files <= 4,
    },
    { what: 'timers when quiet', figure: both('timers'), bar: 'no more', holds: last.timers <= warm.timers },
    {
      what: 'heap when quiet',
      figure: `${samples.map(({ heap }) => heap.toFixed(1)).join(' ')} MiB round by round; resident ${both('resident')} MiB`,
      bar: 'at most 2 MiB more',
      holds: last.heap - warm.heap <= 2,
    },
  ]
}

const RATE = 400
const QUIET_MS = 6_000
const REQUESTS = [
  { method: 'GET', path: 'small', expect: 200, share: 0.68 },
  { method: 'POST', path: 'sink', bodyBytes: 2_048, expect: 200, share: 0.2 },
  { method: 'GET', path: 'octets/100000', expect: 200, share: 0.1 },
  { method: 'GET', path: 'fault/reset', expect: 502, share: 0.003 },
  { method: 'GET', path: 'fault/truncate', expect: 'broken', share: 0.004 },
  { method: 'GET', path: 'fault/garbage', expect: 502, share: 0.003 },
  { method: 'POST', path: 'sink', bodyBytes: 20_000, expect: 'abort', share: 0.005 },
  { method: 'GET', path: 'octets/1000000', expect: 'abort', share: 0.005 },
]
