import { createClient } from 'continuation-point/api'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, assert, beforeAll, describe, expect, it, vi } from 'vitest'
import { launchBrowser, skipsBrowser } from './sandbox/support/chromium.ts'
import { type Receiver, startReceiver } from './sandbox/support/receiver.ts'
import { type Program, startProgram } from './support/program.ts'

const apiKey = 'demo-api-key'

/** Everything is reached as its users reach it: commands as processes, the package by its name, pages in a browser. */
describe.skipIf(skipsBrowser)('the whole story', () => {
  let demo: Program
  let shopUrl: string
  let serviceUrl: string
  let browser: Browser
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await startReceiver('http')
    demo = startProgram(['demo', '--port', '0'])
    browser = await launchBrowser()
    const [, shop = '', service = ''] = await demo.printed(
      /start a session (\S+)[\s\S]+the service at (\S+)\.\n[\s\S]+Ctrl-C/,
    )
    shopUrl = shop
    serviceUrl = service
  })
  afterAll(async () => {
    await browser?.close()
    demo?.signal('SIGTERM')
    expect(await demo?.ended()).toBe(0)
    await receiver?.close()
  })

  it('runs from the customer’s page to an entry of the history', async () => {
    const client = createClient({ baseUrl: `${serviceUrl}/v2`, apiKey })
    const hook = { category: 'session.started', enabled: true, ssl_verification: true }
    await client.webhooks.create({ ...hook, url: receiver.url })

    // A customer whose sign-in no script can read starts a session.
    const customer = await browser.newContext()
    const shop = await customer.newPage()
    await shop.goto(shopUrl)
    expect(await cookie(customer, 'shop_session')).toMatchObject({
      value: expect.any(String),
      httpOnly: true,
    })
    const signedIn = (await cookie(customer, 'shop_session'))?.value ?? ''
    await shop.getByRole('button', { name: 'Start session' }).click()
    const opened = customer.waitForEvent('page')
    await shop.getByRole('link', { name: 'Open your window' }).click()
    const customersWindow = await opened
    await customersWindow.getByRole('heading', { name: 'The whole visit is in the session' }).waitFor()

    // The webhook reaches the desk.
    const { session } = await vi.waitFor(() => {
      const [delivery] = receiver.received
      assert(delivery, 'the webhook has received nothing')
      return delivery.json
    }, 20_000)
    expect(session).toMatchObject({ start_url: shopUrl, agent_id: null, end_time: null })

    // An agent, who did not exist before, joins with a token and the PIN.
    const grace = { email: 'grace@shop.example', name: 'Grace' }
    const { agent_id, agent_token } = await client.agents.createAccessToken(grace)
    const body = new URLSearchParams({ pin: session.pin, agent_token })
    const joined = await fetch(`${serviceUrl}/join`, { method: 'POST', body, redirect: 'manual' })
    const agentsUrl = new URL(joined.headers.get('location') ?? '', serviceUrl).href
    await customersWindow.getByText('Grace, agent, follows').waitFor()
    expect(await client.sessions.get(session.session_id)).toMatchObject({ agent_id, participant_num: 2 })

    // The desk watches it in pictures.
    await client.screenshots.create(session.session_id, { size: 640 })
    const picture = await fetch((await client.screenshots.latest(session.session_id)).url)
    expect(picture.headers.get('content-type')).toMatch(/^image\//)
    expect(await picture.text()).toContain(session.formatted_id)

    // The agent signs the customer in with another account, which stays in the session while it runs.
    const desk = await browser.newContext()
    const agentsWindow = await desk.newPage()
    await agentsWindow.goto(agentsUrl)
    await agentsWindow.getByRole('button', { name: 'business account' }).click()
    await customersWindow.getByText('Changed in the session.').waitFor()
    expect((await cookie(customer, 'shop_session'))?.value).toBe(signedIn)

    // The session ends, and the cookie comes back to the shop, still httpOnly; the agent keeps none.
    await agentsWindow.getByRole('button', { name: 'End session' }).click()
    await customersWindow
      .getByRole('heading', { name: 'The session is over, and 1 cookie went back' })
      .waitFor()
    const returned = { value: 'robin-business', httpOnly: true, path: '/', domain: new URL(shopUrl).hostname }
    expect(await cookie(customer, 'shop_session')).toMatchObject(returned)
    expect(await desk.cookies()).toEqual([])
    await shop.reload()
    await shop.locator('[data-visit="account"]').filter({ hasText: 'business account' }).waitFor()

    // The session is in the history.
    const history = []
    for await (const item of client.history.list({ min_date: session.start_time })) history.push(item)
    expect(history).toHaveLength(1)
    expect(history[0]).toMatchObject({
      session_id: session.session_id,
      agent_id,
      start_time: session.start_time,
      end_time: expect.any(String),
      participant_num: 2,
      queued: true,
    })
    expect(JSON.stringify(history)).not.toContain(signedIn)

    expect([receiver.received.length, demo.stderr()]).toEqual([1, ''])
  }, 60_000)

  async function cookie(context: BrowserContext, name: string) {
    return (await context.cookies()).find((each) => each.name === name)
  }
})
