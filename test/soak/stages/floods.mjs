import { startPeer, startProgram, startService, watchResident } from '../processes.mjs'

/**
 * What one client and a hostile service can send at once, with a small heap and every limit at its default: honest requests
 * beside it are all served. Connections to the service are replaced meanwhile, sooner than by default.
 */
export async function runFloods({ seconds }) {
  const service = await startService()
  const program = await startProgram(service, { timeouts: { connectionAge: '1s' } }, [
    '--max-old-space-size=128',
  ])
  const stopWatching = watchResident(program)
  const floods = startPeer('floods.mjs')
  await floods.ask({ port: program.port, uploads: 1_060 })
  const honest = await startPeer('open-loop.mjs').ask({
    port: program.port,
    rate: RATE,
    seconds,
    requests: REQUESTS,
  })
  const { cut } = await floods.ask('state')
  const { opened } = await service.ask('state')
  const peakMebibytes = stopWatching()
  await floods.stop()
  await program.stop()
  await service.stop()
  const refused = honest.outcomes[503]?.count ?? 0
  const failed = Object.values(honest.failures).reduce((sum, each) => sum + each, 0)
  return [
    {
      what: 'floods of tiny lines, of clients and the service, beside 1,060 announced uploads',
      figure: `${cut} cut in ${seconds} s`,
      bar: 'each is cut',
      holds: cut > 160,
    },
    {
      what: `${RATE} requests/s beside them`,
      figure: `${honest.sent} sent, ${refused} refused, ${failed} failed ${failed > 0 ? JSON.stringify(honest.failures) : ''}`,
      bar: 'none refused, no failure',
      holds: refused + failed === 0,
    },
    {
      what: 'connections to the service, each used for 1 s at most',
      figure: `${opened} opened`,
      bar: 'at least one each second',
      holds: opened >= seconds,
    },
    {
      what: 'resident memory, with a heap of 128 MiB',
      figure: `${peakMebibytes.toFixed(0)} MiB at most`,
      bar: 'at most 250 MiB',
      holds: peakMebibytes <= 250,
    },
  ]
}

const RATE = 200
const REQUESTS = [
  { method: 'GET', path: 'small', expect: 200, share: 0.7 },
  { method: 'POST', path: 'sink', bodyBytes: 1_024, expect: 200, share: 0.3 },
]
