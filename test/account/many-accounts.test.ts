import { expect, it, onTestFinished } from 'vitest'
import { applyPart } from '../../src/account/apply.ts'
import { loadAccounts, tellingClock } from '../../src/account/open-accounts.ts'
import { settingsPart } from '../../src/account/settings-part.ts'
import { openBudgets } from '../../src/api/budget.ts'
import type { Clock } from '../../src/api/index.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { startStub } from '../api/support/stub-service.ts'
import { fakeIo } from '../cli/fake-io.ts'

/** Loads the accounts of a config that has no problems, and tells the waits of their calls. */
async function load(config: object, clock: Clock, budgetOf = openBudgets()) {
  const io = fakeIo({ 'config.json': JSON.stringify(config) })
  const waits: number[] = []
  const loaded = await loadAccounts(undefined, io, () => ({ restKey: true, webhooks: [], problems: [] }), {
    budgetOf,
    clock: tellingClock((ms) => waits.push(ms), clock),
  })
  if ('problems' in loaded) throw new Error('The config has problems')
  return { accounts: loaded.accounts, io, waits }
}

it('sixty accounts wait for the limit of the address, and a run that was interrupted goes on', async () => {
  const time = { nowMs: Date.UTC(2030, 0, 1) }
  const numbers = Array.from({ length: 60 }, (_, index) => index)
  const clients = numbers.map((n) => ({
    company_name: `C${n}`,
    rest_key: `rest-${n}`,
    widget_key: `widget-${n}`,
  }))
  const sandbox = await startSandbox({ nowMs: () => time.nowMs, seed: { clients } })
  onTestFinished(() => sandbox.close())
  const clock: Clock = {
    nowMs: () => time.nowMs,
    sleep: async (ms) => {
      time.nowMs += ms
    },
  }
  const points = numbers.map((n) => ({
    url: `https://www.shop${n}.example/service_cookie_transfer/`,
    widgetKey: `widget-${n}`,
    apiKey: `rest-${n}`,
  }))
  const budgetOf = openBudgets()
  const apply = async (most: number) => {
    const { accounts, io, waits } = await load({ service: { url: sandbox.url }, points }, clock, budgetOf)
    const kept: unknown[] = []
    const keep = async (replaced: unknown) => {
      kept.push(replaced)
      return kept.length > most ? 'the test interrupts it' : undefined
    }
    const part = settingsPart({ source: 'the config', force: false, tell: io.stderr, keep })
    const outcome = await applyPart(part, accounts, { dryRun: false, mayRemove: false }, io)
    return { outcome, kept, waits }
  }
  const first = await apply(20)
  expect(first.outcome).toMatchObject({ outcome: 'inconclusive' })
  expect(first.waits.length).toBeGreaterThan(0)
  expect(await apply(60)).toMatchObject({ outcome: 'done', kept: { length: 40 } })
  // Two runs of one process have one budget, so the service never has to refuse.
  const log = await fetch(`${sandbox.url}/_sandbox/requests`)
  const { requests } = (await log.json()) as { requests: readonly { status: number }[] }
  expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200]))
})

it('tells of the wait before a retry', async () => {
  const { baseUrl } = await startStub({ status: 429, headers: { 'retry-after': '7' } }, { body: {} })
  const clock = { nowMs: () => 0, sleep: async () => {} }
  const { accounts, waits } = await load({ service: { api: baseUrl }, apiKey: 'key' }, clock)
  await accounts[0]?.client.options.get()
  expect(waits).toEqual([7000])
})
