import { expect, it } from 'vitest'
import { startMetrics } from '../../src/serve/metrics.ts'
import { NO_LEVELS, NOTHING } from '../../src/serve/metrics-sum.ts'
import { PROTOCOL } from '../../src/serve/worker-message.ts'

/** Where a value has numbers and texts: `a.b`, and `a.0` for what each element of a list has. */
function leavesOf(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, `${path}.${key}`))
}

// A worker of the next version is read by the primary process of this one. Change PROTOCOL with it.
it('the messages of a worker have the format of its protocol number', () => {
  const snapshot = startMetrics('overall').snapshot(NO_LEVELS, NOTHING.process, 0)
  expect({ PROTOCOL, leaves: leavesOf(snapshot, 'snapshot') }).toMatchInlineSnapshot(`
    {
      "PROTOCOL": 2,
      "leaves": [
        "snapshot.levels.activeRequests",
        "snapshot.levels.requestLimit",
        "snapshot.levels.shortOfMemory",
        "snapshot.levels.waitingRequests",
        "snapshot.levels.oldestWaitSeconds",
        "snapshot.levels.residentBytes",
        "snapshot.levels.heapBytes",
        "snapshot.levels.openFiles",
        "snapshot.levels.fileLimit",
        "snapshot.levels.loopDelaySeconds",
        "snapshot.process.cpuSeconds",
        "snapshot.process.loopActiveSeconds",
        "snapshot.process.loopIdleSeconds",
        "snapshot.lostLogLines",
      ],
    }
  `)
})
