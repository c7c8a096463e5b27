import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/check/finding.ts'
import type { Delivery } from '../../src/monitor/call-webhook.ts'
import { type MonitorIo, openMonitor } from '../../src/monitor/monitor.ts'
import { type Change, formerOutcome } from '../../src/monitor/verdicts.ts'
import { aFinding } from '../check/a-finding.ts'

const GREEN = [aFinding({ outcome: 'pass' }), aFinding({ id: 'live/dns', outcome: 'pass' })]
const RED = [aFinding(), aFinding({ id: 'live/dns', outcome: 'pass' })]
const BLIND = [
  aFinding({ outcome: 'inconclusive', message: 'no answer' }),
  aFinding({ id: 'live/dns', outcome: 'inconclusive', message: 'no answer' }),
]
const DELIVERED: Delivery = { kind: 'delivered', attempts: 1 }
const FAILED: Delivery = { kind: 'failed', attempts: 3, reason: 'ECONNREFUSED' }

/** A monitor whose runs find what a list says; an error among them is thrown. */
function stage(runs: readonly (readonly Finding[] | Error)[], deliveries?: readonly (Delivery | Error)[]) {
  const lines: string[] = []
  const calls: string[][] = []
  const [coming, answers] = [[...runs], [...(deliveries ?? [])]]
  let [epochMs, clockMs] = [1_000_000, 0]
  const io: MonitorIo = {
    check: async () => {
      const found = coming.shift() ?? []
      if (found instanceof Error) throw found
      return found
    },
    deliver:
      deliveries &&
      (async (changes: readonly Change[]) => {
        calls.push(changes.map((each) => `${each.is.rule} ${formerOutcome(each)}>${each.is.outcome}`))
        const answer = answers.shift() ?? DELIVERED
        if (answer instanceof Error) throw answer
        return answer
      }),
    log: (level, fields, msg) => lines.push(JSON.stringify({ level, msg, ...fields })),
    // The clock is set back during the run.
    nowMs: () => {
      epochMs -= 1_000
      return epochMs
    },
    monotonicMs: () => {
      clockMs += 10
      return clockMs
    },
  }
  const monitor = openMonitor(io, 60_000)
  const signal = new AbortController().signal
  const runAll = async () => {
    const results = []
    for (const _ of runs) results.push(await monitor.run(signal))
    return results
  }
  return { monitor, lines, calls, runAll }
}

const told = (lines: readonly string[]) => lines.filter((line) => !line.includes('"level":"debug"'))

describe('the log', () => {
  it('has a line for each change and none for what stays', async () => {
    const { lines, runAll } = stage([GREEN, RED, RED, BLIND, RED, GREEN, GREEN])
    expect(await runAll()).toEqual(['pass', 'fail', 'fail', 'inconclusive', 'fail', 'pass', 'pass'])
    const point = 'https://www.example.com/service_cookie_transfer/'
    expect(told(lines).map((line) => JSON.parse(line))).toEqual([
      {
        level: 'error',
        msg: 'failed',
        rule: 'live/connect',
        severity: 'error',
        point,
        from: 'pass',
        to: 'fail',
        message: 'it is refused',
        fix: 'listen there',
      },
      { level: 'warn', msg: 'checks are inconclusive', reasons: ['no answer'] },
      { level: 'info', msg: 'checks are conclusive again' },
      { level: 'info', msg: 'recovered', rule: 'live/connect', point, from: 'fail', to: 'pass' },
    ])
  })

  it('has a line for each run at debug', async () => {
    const { lines, runAll } = stage([GREEN, RED])
    await runAll()
    expect(lines.filter((line) => line.includes('"checked"')).map((line) => JSON.parse(line))).toEqual([
      { level: 'debug', msg: 'checked', result: 'pass', tookMs: 10, failing: 0 },
      { level: 'debug', msg: 'checked', result: 'fail', tookMs: 10, failing: 1 },
    ])
  })

  it.each([
    ['error', 'error'],
    ['warning', 'warn'],
    ['info', 'info'],
  ] as const)('logs an %s at level %s, from the start, and not what passes', async (severity, level) => {
    const { lines, runAll } = stage([[aFinding({ severity }), ...GREEN.slice(1)]])
    await runAll()
    expect(told(lines).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level, msg: 'failed', rule: 'live/connect', from: 'unknown', to: 'fail' }),
    ])
  })
})

describe('a run that breaks', () => {
  it('is counted and changes nothing, and the next goes on', async () => {
    const { monitor, lines, runAll } = stage([RED, new TypeError('a marked secret'), GREEN])
    expect(await runAll()).toEqual(['fail', 'crashed', 'pass'])
    expect(lines.join()).not.toContain('a marked secret')
    expect(told(lines).map((line) => JSON.parse(line).msg)).toEqual([
      'failed',
      'checks are inconclusive',
      'recovered',
      'checks are conclusive again',
    ])
    const { runs } = monitor.state()
    expect([runs.pass.count, runs.fail.count, runs.crashed.count]).toEqual([1, 1, 1])
  })

  it('by one rule does not affect the others', async () => {
    const crashed = aFinding({ outcome: 'crashed', subject: { setting: 'live/connect' } })
    const { monitor, runAll } = stage([RED, [crashed, aFinding({ id: 'live/dns', outcome: 'fail' })]])
    await runAll()
    const verdicts = [...monitor.state().verdicts.values()].map(({ rule, outcome }) => [rule, outcome])
    expect(verdicts).toEqual([
      ['live/connect', 'fail'],
      ['live/dns', 'fail'],
    ])
  })
})

describe('the webhook', () => {
  it('is called on change only', async () => {
    const { monitor, calls, runAll } = stage([GREEN, RED, RED, BLIND, GREEN, GREEN], [])
    await runAll()
    expect(calls).toEqual([['live/connect pass>fail'], ['live/connect fail>pass']])
    expect(monitor.state().calls).toEqual({ delivered: 2, failed: 0 })
  })

  it('is called once for a fault that some of the answers have, another number of them in each run', async () => {
    const onSome = [3, 5, 4].map((count) => {
      const message = `${count} of 22 answers came from nginx itself: 502`
      return [aFinding({ id: 'live/forwarded', message, topic: message }), ...GREEN]
    })
    const { calls, runAll } = stage([GREEN, ...onSome], [])
    await runAll()
    expect(calls).toEqual([['live/forwarded unknown>fail']])
  })

  it('gets undelivered changes with the next run', async () => {
    const { monitor, lines, calls, runAll } = stage([RED, RED, RED], [FAILED, FAILED])
    await runAll()
    expect(calls).toEqual(Array(3).fill(['live/connect unknown>fail']))
    expect(monitor.state().calls).toEqual({ delivered: 1, failed: 2 })
    expect(monitor.undelivered()).toBe(0)
    expect(lines.filter((line) => line.includes('webhook failed'))).toHaveLength(2)
  })

  it('gets later changes together with earlier ones', async () => {
    const both = [aFinding(), aFinding({ id: 'live/dns' })]
    const { calls, runAll } = stage([GREEN, RED, both], [FAILED])
    await runAll()
    expect(calls[1]).toEqual(['live/connect pass>fail', 'live/dns pass>fail'])
  })

  it('is not called for a failure that was over before it could be delivered', async () => {
    const { monitor, calls, runAll } = stage([GREEN, RED, GREEN], [FAILED])
    await runAll()
    expect([calls.length, monitor.undelivered()]).toEqual([1, 0])
  })

  it('that fails loses only the call', async () => {
    const { monitor, lines, calls, runAll } = stage([RED, RED], [new TypeError('a marked URL')])
    expect(await runAll()).toEqual(['fail', 'fail'])
    expect(monitor.state().calls).toEqual({ delivered: 1, failed: 1 })
    expect(calls).toHaveLength(2)
    expect(lines.join()).not.toContain('a marked URL')
  })
})

it('a run that is aborted reports nothing', async () => {
  const { monitor, lines, calls } = stage([RED], [])
  const stopping = new AbortController()
  const running = monitor.run(stopping.signal)
  stopping.abort()
  await running
  expect([lines, calls]).toEqual([[], []])
  expect(monitor.state().verdicts.size).toBe(0)
})

it('a monitor that finds nothing out calls after three runs in a row, and when it sees again', async () => {
  const { calls, lines, runAll } = stage([GREEN, BLIND, BLIND, GREEN, BLIND, BLIND, BLIND, BLIND, GREEN], [])
  await runAll()
  expect(calls).toEqual([['monitor/inconclusive unknown>fail'], ['monitor/inconclusive fail>pass']])
  expect(lines.join('\n')).toContain('3 runs in a row were inconclusive: no answer')
})
