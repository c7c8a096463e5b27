import { expect, it } from 'vitest'
import { askAdmin, openServed } from '../support/served.ts'
import { until } from '../support/until.ts'
import { signalWorker, workersOf } from '../support/workers.ts'
import { ROUNDS, ROUNDS_TIMEOUT_MS, startTraffic } from './steady-traffic.ts'

it(
  'workers that are killed under load lose only their own connections, and are replaced',
  async () => {
    const served = await openServed()
    const { program, port } = await served.start({ workers: 2, admin: { port: 0 } })
    // Workers that keep dying soon after their start are replaced after longer and longer pauses, so there are few kills.
    for (let kill = 1; kill <= Math.min(4, ROUNDS); kill += 1) {
      const [victim, other] = workersOf(program)
      const [lost, kept] = [await trafficBeside(other, port), await trafficBeside(victim, port)]
      signalWorker(victim, 'SIGKILL')
      await program.printed(new RegExp(`(?:[\\s\\S]*?a worker died and is replaced){${kill}}`))
      const answered = kept.answered()
      await until(() => kept.answered() >= answered + 20)
      const [ofVictim, ofOther] = [await lost.ended(), await kept.stop()]
      expect(new Set(ofVictim.map(({ end }) => end))).toEqual(new Set(['cut']))
      expect(new Set(ofOther.map(({ end }) => end))).toEqual(new Set(['stopped']))
      expect(new Set([...ofVictim, ...ofOther].flatMap(({ statuses }) => statuses))).toEqual(
        new Set(['HTTP/1.1 200 OK']),
      )
      await until(async () => /^continuation_point_workers 2$/m.test(await askAdmin(program)))
      expect(workersOf(program)).toContain(other)
      expect(workersOf(program)).not.toContain(victim)
    }
    program.signal('SIGTERM')
    expect(await program.ended()).toBe(0)
    expect(program.stderr()).toBe('')
  },
  ROUNDS_TIMEOUT_MS,
)

/** Clients that are all accepted by the other worker, since this one is stopped meanwhile. */
async function trafficBeside(stopped: number | undefined, port: number) {
  signalWorker(stopped, 'SIGSTOP')
  try {
    return await startTraffic(port, 32, 40)
  } finally {
    signalWorker(stopped, 'SIGCONT')
  }
}
