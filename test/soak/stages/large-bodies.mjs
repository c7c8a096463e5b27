import { residentMebibytes, startPeer, startProgram, startService, watchResident } from '../processes.mjs'

/** Long bodies pass through slow peers in both directions without piling up in the proxy. */
export async function runLargeBodies({ bodyMebibytes, bodySeconds }) {
  const octets = bodyMebibytes * 1_048_576
  const service = await startService()
  const program = await startProgram(service)
  const warm = {
    port: program.port,
    rate: 500,
    seconds: 3,
    requests: [{ method: 'GET', path: 'small', expect: 200, share: 1 }],
  }
  await startPeer('open-loop.mjs').ask(warm)
  const before = residentMebibytes(program)
  const stopWatching = watchResident(program)
  const { whole, failures } = await startPeer('transfers.mjs').ask({
    port: program.port,
    uploads: TRANSFERS,
    downloads: TRANSFERS,
    octets,
    octetsPerMs: Math.ceil(octets / (bodySeconds * 1_000)),
  })
  const growth = stopWatching() - before
  await program.stop()
  await service.stop()
  return [
    {
      what: `${TRANSFERS} uploads and ${TRANSFERS} downloads of ${bodyMebibytes} MiB through slow peers`,
      figure: `${whole} whole${failures.length > 0 ? `, others: ${failures.join(' ')}` : ''}`,
      bar: 'all whole',
      holds: whole === 2 * TRANSFERS,
    },
    {
      what: 'growth of resident memory',
      figure: `${growth.toFixed(0)} MiB over ${before.toFixed(0)} MiB`,
      bar: 'under 64 MiB',
      holds: growth < 64,
    },
  ]
}

const TRANSFERS = 32
