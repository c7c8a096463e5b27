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
      // So many at once that no worker accepts them all.
      const traffic = await startTraffic(port, 64, 40)
      const [victim, other] = workersOf(program)
      signalWorker(victim, 'SIGKILL')
      await program.printed(new RegExp(`(?:[\\s\\S]*?a worker died and is replaced){${kill}}`))
      const answered = traffic.answered()
      await until(() => traffic.answered() >= answered + 20)
      const stories = await traffic.stop()
      expect(stories.filter(({ end }) => end === 'stopped').length).toBeGreaterThan(0)
      expect(stories.filter(({ end }) => end === 'cut').length).toBeGreaterThan(0)
      expect(new Set(stories.flatMap(({ statuses }) => statuses))).toEqual(new Set(['HTTP/1.1 200 OK']))
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
