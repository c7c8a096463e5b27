import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'continuation-point/api'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, skipsBrowser } from '../sandbox/support/chromium.ts'
import { type Program, startProgram } from '../support/program.ts'
import { type RunningExample, startExample } from './start-example.ts'

const API_KEY = 'demo-api-key'
const WEBHOOK_SECRET = 'the-secret-of-the-desk-0123456789'

/** The example as it is shipped, the built stand-in in either naming set, the command, and a browser for each person. */
describe.skipIf(skipsBrowser).each(['a', 'b'])('the desk of an agent, in naming set %s', (optionNames) => {
  let folder: string
  let sandbox: Program
  let desk: RunningExample
  let browser: Browser
  let api: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agent-desk-'))
    browser = await launchBrowser()
    const seed = join(folder, 'seed.json')
    await writeFile(seed, JSON.stringify({ optionNames }))
    sandbox = startProgram(['sandbox', '--port', '0', '--seed', seed, '--rate-limit', 'off'])
    const [url = ''] = await sandbox.printed(/http:\/\/127\.0\.0\.1:\d+/)
    api = `${url}/v2`
  })
  afterAll(async () => {
    await browser?.close()
    sandbox.signal('SIGTERM')
    expect(await sandbox.ended()).toBe(0)
    await rm(folder, { recursive: true })
  })

  it('shows who waits, and joins with the link of the webhook and a token of the agent', async () => {
    const { sessions } = createClient({ baseUrl: api, apiKey: API_KEY })
    const start = (place: string) =>
      sessions.create({ url: `https://www.shop.example/${place}`, widget_key: 'demo-widget-key' })
    const early = await start('early')
    desk = await startExample('agent-desk', {}, { API_URL: api, API_KEY, WEBHOOK_SECRET })
    const url = `http://127.0.0.1:${desk.port}`
    await registerHook(`${url}/hooks?secret=${WEBHOOK_SECRET}`)

    const agent = await (await browser.newContext()).newPage()
    await agent.goto(url)
    const button = (place: string) =>
      agent.getByRole('button', { name: `from https://www.shop.example/${place}` })
    await button('early').waitFor()
    const late = await start('late')
    const visitor = await (await browser.newContext()).newPage()
    await visitor.goto(late.leader_link)
    await button('late').click()

    const frame = agent.frameLocator('iframe')
    await frame.getByText('Session window: Grace, agent').waitFor()
    await visitor.getByText('Grace, agent, follows').waitFor()
    await button('late').waitFor({ state: 'detached' })
    expect(await sessions.get(late.id)).toMatchObject({ participant_num: 2, agent_id: expect.any(Number) })

    // One that has ended meanwhile can't be joined, and leaves the queue.
    await sessions.end(early.id)
    const own = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } }
    expect((await fetch(`${url}/join?session=${early.id}`, own)).status).toBe(409)
    await button('early').waitFor({ state: 'detached' })

    // Nobody joins by a form of another site, and no page has a key.
    const foreign = { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }
    expect((await fetch(`${url}/join?session=${late.id}`, foreign)).status).toBe(404)
    expect(await agent.content()).not.toMatch(/demo-api-key|agent_token/)
    expect([await desk.stop(), desk.program.stderr()]).toEqual([0, ''])
  }, 60_000)

  it('says without a stack trace that its key is refused', async () => {
    const started = startExample('agent-desk', {}, { API_URL: api, API_KEY: 'wrong-key', WEBHOOK_SECRET })
    await expect(started).rejects.toThrow(/: The sessions can't be listed\. GET [^\n]*\n$/)
  })

  async function registerHook(url: string): Promise<void> {
    const webhooks = [{ url: 'env:WEBHOOK_URL', events: ['session.started'] }]
    const config = { service: { api }, apiKey: 'env:API_KEY', webhooks }
    await writeFile(join(folder, 'config.json'), JSON.stringify(config))
    const program = startProgram(['webhooks', 'apply'], { cwd: folder, env: { API_KEY, WEBHOOK_URL: url } })
    expect([await program.ended(), program.stderr()]).toEqual([0, expect.stringContaining('Created 1')])
  }
})
