import { expect, it } from 'vitest'
import type { ResolvedConfig } from '../../src/forward/resolved-config.ts'
import type { Loading } from '../../src/serve/load-resolved.ts'
import { Reloading } from '../../src/serve/reloading.ts'
import { resolvedConfigOf } from '../support/config-of.ts'
import { until } from '../support/until.ts'

const named = (name: string) =>
  resolvedConfigOf({
    service: { url: 'http://127.0.0.1:1' },
    widgetKey: 'a-key',
    points: [`http://${name}.example.com/service_cookie_transfer/`],
  })

/** A reloading whose loads end as the test says, with what it told its log and what it put in force. */
async function openReloading(use: (resolved: ResolvedConfig) => void = () => {}, deadlineMs = 60_000) {
  const loads: { readonly end: (loading: Loading | Error) => void; readonly signal: AbortSignal }[] = []
  const told: string[] = []
  const used: string[] = []
  const tell = (facts: object | string, message?: string) =>
    void told.push(typeof facts === 'string' ? facts : `${message} ${JSON.stringify(facts)}`)
  const reloading = new Reloading({
    first: await named('first'),
    load: (signal) =>
      new Promise((resolve, reject) => {
        const end = (loading: Loading | Error) =>
          loading instanceof Error ? reject(loading) : resolve(loading)
        loads.push({ end, signal })
      }),
    use: (resolved) => {
      use(resolved)
      used.push(new URL(resolved.points[0]?.url ?? '').hostname)
    },
    log: { info: tell, warn: tell, error: tell },
    deadlineMs,
  })
  return { reloading, loads, told, used }
}

it('runs one load at a time, and one more however often it is asked for meanwhile; the later wins', async () => {
  const { reloading, loads, used, told } = await openReloading()
  for (let i = 0; i < 200; i += 1) reloading.ask()
  expect(loads).toHaveLength(1)
  loads[0]?.end({ resolved: await named('earlier') })
  await until(() => loads.length === 2)
  loads[1]?.end({ resolved: await named('later') })
  await until(() => used.length === 2)
  expect(used).toEqual(['earlier.example.com', 'later.example.com'])
  expect(told).toEqual(['config reloaded', 'config reloaded'])
  reloading.ask()
  expect(loads).toHaveLength(3)
})

it.each<[string, Loading | Error, string]>([
  [
    'a faulty config',
    { problems: [{ location: { file: 'f', pointer: '/p' }, message: 'm' }] },
    '"problemCount":1',
  ],
  ['anything thrown', new TypeError('it quotes a-secret'), '"reason":"internal error: TypeError"'],
])('%s is a refused reload, after which the next one counts', async (_what, loading, reason) => {
  const { reloading, loads, told, used } = await openReloading()
  const { loadedAtMs } = reloading.loads
  reloading.ask()
  loads[0]?.end(loading)
  await until(() => told.length === 1)
  expect(told[0]).toContain(`config not reloaded: the old one stays {${reason}`)
  expect(reloading.loads).toEqual({ last: 'refused', loadedAtMs, refusals: 1 })
  reloading.ask()
  loads[1]?.end({ resolved: await named('next') })
  await until(() => used.length === 1)
  expect(reloading.loads).toMatchObject({ last: 'loaded', refusals: 1 })
})

it('a config that can’t be put in force is refused too', async () => {
  const { reloading, loads, told } = await openReloading(() => {
    throw new RangeError('it quotes a-secret')
  })
  const before = reloading.inForce
  reloading.ask()
  loads[0]?.end({ resolved: await named('next') })
  await until(() => told.length === 1)
  expect(told[0]).toContain('"reason":"internal error: RangeError"')
  expect([reloading.inForce, reloading.loads.last]).toEqual([before, 'refused'])
})

it('a load that waits for ever is abandoned, and then the next one runs', async () => {
  const { reloading, loads, told, used } = await openReloading(undefined, 20)
  reloading.ask()
  reloading.ask()
  await until(() => loads.length === 2)
  expect(told).toEqual([expect.stringMatching(/not reloaded.*"reason":"it took longer than 0.02 s/)])
  expect(loads[0]?.signal.aborted).toBe(true)
  loads[1]?.end({ resolved: await named('later') })
  loads[0]?.end({ resolved: await named('earlier') })
  await until(() => used.length === 1)
  expect(used).toEqual(['later.example.com'])
})

it('once stopped, it loads no more, and abandons what it loads', async () => {
  const { reloading, loads, told, used } = await openReloading()
  reloading.ask()
  reloading.ask()
  reloading.stop()
  expect(loads[0]?.signal.aborted).toBe(true)
  loads[0]?.end({ resolved: await named('late') })
  await new Promise(setImmediate)
  reloading.ask()
  expect([loads.length, told, used]).toEqual([1, [], []])
})
