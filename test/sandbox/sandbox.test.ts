import { connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import { demoAccount } from '../../src/sandbox/state/company.ts'
import { openForTest } from '../support/open-for-test.ts'
import { ask } from './support/ask.ts'

const sandbox = await startSandbox({ authorities: ['cobrowse.test'] })
afterAll(() => sandbox.close())

describe('startSandbox', () => {
  it('rejects before it listens if an authority is invalid', async () => {
    await expect(startSandbox({ authorities: ['a b'] })).rejects.toThrow('"a b" is not HOST or HOST:PORT')
  })

  it('ends open connections on close, which may be called twice', async () => {
    const short = await startSandbox()
    const socket = connect(short.port, '127.0.0.1')
    const closed = new Promise((resolve) => socket.on('close', resolve).on('error', resolve))
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
    await short.close()
    await short.close()
    await closed
    await expect(ask(short.url, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it.each(['', 'x'])('is another virtual host under a Host that is not its own: /%s', async (path) => {
    const headers = { Host: 'www.example.com', Accept: 'text/html' }
    const answer = await ask(sandbox.url, `/service_cookie_transfer/${path}`, { headers })
    expect(answer.status).toBe(421)
    expect(answer.text).toMatch(/^Unknown virtual host/)
    expect(answer.headers['content-type']).toMatch(/^text\/plain/)
  })

  it('keeps the accounts of instances separate', async () => {
    const other = await openForTest(startSandbox())
    other.setAccount({ ...demoAccount(), widgetKey: 'second' })
    const headers = { 'X-Widget-Key': 'second' }
    const known = JSON.parse((await ask(other.url, '/service_cookie_transfer/x', { headers })).text)
    const unknown = JSON.parse((await ask(sandbox.url, '/service_cookie_transfer/x', { headers })).text)
    expect(known.received.widgetKey).toEqual({ lines: 1, known: true })
    expect(unknown.received.widgetKey).toEqual({ lines: 1, known: false })
  })
})
